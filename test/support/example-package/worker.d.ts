export declare function workerEntry(): void;
