/** `npm run build`: writes `dist`. Types are checked apart, by `npm run typecheck`. */
import { rmSync, writeFileSync } from "node:fs";
import { bundle } from "./bundle.ts";
import { licences } from "./licences.ts";

rmSync("dist", { recursive: true, force: true });
writeFileSync("dist/THIRD-PARTY-LICENSES.txt", licences(await bundle("dist")));
