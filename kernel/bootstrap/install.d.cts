export function installPackages(root: string): Promise<void>;
export function missingPackage(root: string): string;
export function npmCommand(): { file: string; args: string[]; shell: boolean };
