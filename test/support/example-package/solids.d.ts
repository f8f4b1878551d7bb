export declare function cubeVolume(side: number): number;
