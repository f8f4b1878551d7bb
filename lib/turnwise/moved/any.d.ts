declare const moved: any;
export = moved;
