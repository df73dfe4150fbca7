// What becomes of a command that was refused when its screen is gone: nothing that was entered goes by itself.
import { isAlong, replace } from "tablet/frame/outbox";

const UNDONE = ["withdraw", "void"]; // to the server the round is still running then, and the pit decides on it

export function setAside(entry, problem) {
  if (entry.kind === "correct") return replace(entry, asked(entry)); // too late to do it alone
  if (isAlong(entry)) return replace(entry, { key: entry.key, refused: problem }); // its round knows it by its key
  return replace(
    entry,
    UNDONE.includes(entry.kind) || problem.to_clarify ? { kept: problem } : { refused: problem },
  );
}

// The same as a request to the pit.
export const asked = ({ path }) => ({
  kind: "request",
  path: path.replace("/correct/", "/correction-request/"),
});
