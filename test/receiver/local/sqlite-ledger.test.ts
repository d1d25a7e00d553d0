import { ledgerContract } from "../ledger-contract.ts";
import { openLedger, temporaryFile } from "../open-ledger.ts";

ledgerContract("node:sqlite, in memory", async () => openLedger());
ledgerContract("node:sqlite, in a file", async () => openLedger(temporaryFile()));
