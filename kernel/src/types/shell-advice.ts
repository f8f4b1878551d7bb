/** Commands that are typed into a cell as into a terminal. */
const commands = new Set([
  ...[
    "apt",
    "apt-get",
    "bash",
    "brew",
    "bun",
    "cat",
    "cd",
    "chmod",
    "conda",
    "cp",
    "curl",
    "deno",
    "docker",
    "echo",
  ],
  ...[
    "git",
    "grep",
    "head",
    "ls",
    "make",
    "mkdir",
    "mv",
    "node",
    "npm",
    "npx",
    "pip",
    "pip3",
    "pnpm",
    "pwd",
    "python",
  ],
  ...["python3", "rm", "sh", "sudo", "tail", "touch", "tsc", "unzip", "wget", "which", "yarn"],
]);

const installs =
  /^(?:npm\s+(?:i|install|add)|yarn\s+add|pnpm\s+(?:add|i|install)|bun\s+add)\s+((?:[^-\s]\S*\s*)+)$/;

/** Advice for a line that is a command of the shell and no TypeScript; undefined for any other line. */
export function shellAdvice(line: string): string | undefined {
  const text = line.trim();
  const [, command] = /^([a-z][\w-]*)\s+[\w./~@$"'*-]/.exec(text) ?? [];
  if (command === undefined || !commands.has(command)) return undefined;
  const packages = installs.exec(text)?.[1]?.trim();
  return `This is a command of the shell. In a cell: ${packages === undefined ? `!${text}` : `%install ${packages}`}`;
}
