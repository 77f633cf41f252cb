import { testFaults } from "./matrix.ts";
import { ANSWERED } from "./table.ts";

testFaults(ANSWERED);
