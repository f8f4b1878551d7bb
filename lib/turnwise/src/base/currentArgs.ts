/** Arguments under today's names; a former name is read for one minor version, and `notice` hears what it is called now. */
export function currentArgs(
  args: readonly string[],
  formers: Readonly<Record<string, string>>,
  notice: (text: string) => void = (text) => void process.stderr.write(text),
): string[] {
  const end = args.indexOf("--");
  return args.map((arg, i) => {
    const [, former, rest = ""] = /^--([\w-]+)(=[^]*)?$/.exec(arg) ?? [];
    if (former === undefined || !Object.hasOwn(formers, former) || (end >= 0 && i > end)) return arg;
    notice(
      `Note: --${former} is now --${formers[former]!}; the former name goes with the next minor version.\n`,
    );
    return `--${formers[former]!}${rest}`;
  });
}
