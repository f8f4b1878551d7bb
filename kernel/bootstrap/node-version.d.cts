export function nodeComplaint(version: string): string;
export function requireNode(): void;
