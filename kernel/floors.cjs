/**
 * The rooms of kernel/src from the ground up and what each may import besides itself, as rules of dependency-cruiser.
 * The kernel is several processes: what one of them runs, the others see only through the messages they exchange.
 */
const rooms = {
  protocol: [],
  process: [],
  display: ["protocol/"],
  types: ["protocol/", "process/", "display/"],
  widgets: ["protocol/", "display/"],
  help: ["protocol/", "display/"],
  session: ["protocol/", "process/", "display/", "types/transform/", "widgets/", "help/"],
  front: ["protocol/", "process/", "types/(messages|engine|snapshot)\\.ts", "session/messages\\.ts"],
  client: ["protocol/"],
  runner: ["protocol/", "display/", "client/"],
  cli: ["client/", "runner/"],
};

const floors = Object.entries(rooms).map(([room, below]) => ({
  name: `kernel-floor-${room}`,
  comment: `kernel/src/${room} may import ${below.join(", ") || "nothing of the other rooms"}`,
  severity: "error",
  from: { path: `^kernel/src/${room}/` },
  to: { path: "^kernel/src/", pathNot: `^kernel/src/(${[`${room}/`, ...below].join("|")})` },
}));

module.exports = [
  ...floors,
  {
    name: "kernel-room-without-floor",
    comment: "A new room of kernel/src needs its line in kernel/floors.cjs",
    severity: "error",
    from: { path: "^kernel/src/(?!index\\.ts)", pathNot: `^kernel/src/(${Object.keys(rooms).join("|")})/` },
    to: {},
  },
];
