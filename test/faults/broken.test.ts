import { testFaults } from "./matrix.ts";
import { BROKEN } from "./table.ts";

testFaults(BROKEN);
