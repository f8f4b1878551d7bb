export function exclusively<T>(root: string, work: () => Promise<T>): Promise<T>;
