/** The words of the emulator's variant `statusWords: processed`, as a stack's config declares them. */
export const ownRunWords = { succeededStatuses: ["Processed"], failedStatuses: ["Broken"] };
