export function offlineFiles(out: string): { readonly pages: string[]; readonly files: string[] };
