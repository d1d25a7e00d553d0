import { TextDocument } from "vscode-languageserver-textdocument";
import { getLanguageService } from "yaml-language-server";

/** What an editor with the YAML language server shows. */
export interface Editor {
  /** The completions at the `|` in a text. */
  completions(text: string): Promise<string[]>;
  /** The text that is shown for what is at the `|`. */
  hover(text: string): Promise<string>;
  /** The problems of a text, each as `<line>:<column> <message>`; both count from 1. */
  diagnostics(text: string): Promise<string[]>;
}

const comment = "# yaml-language-server: $schema=./the.schema.json\n";

// The server remembers what it has parsed by the name of a file.
let opened = 0;

/** Starts the language server in this process, for files whose first line names a schema. */
export function openEditor(schema: object): Editor {
  const service = getLanguageService({
    schemaRequestService: async () => JSON.stringify(schema),
    workspaceContext: { resolveRelativePath: (path, resource) => new URL(path, resource).href },
  });
  service.configure({ validate: true, hover: true, completion: true, schemas: [] });
  const open = (text: string) => TextDocument.create(`file:///project/${opened++}.yaml`, "yaml", 1, comment + text);
  const openAt = (text: string) => {
    const document = open(text.replace("|", ""));
    return { document, position: document.positionAt(comment.length + text.indexOf("|")) };
  };
  return {
    completions: async (text) => {
      const { document, position } = openAt(text);
      const { items } = await service.doComplete(document, position, false);
      return items.map(({ label }) => label);
    },
    hover: async (text) => {
      const { document, position } = openAt(text);
      return JSON.stringify((await service.doHover(document, position))?.contents ?? "");
    },
    diagnostics: async (text) => {
      const found = await service.doValidation(open(text), false);
      // The comment is the first line here, so that a line of the text counts from 1.
      return found.map(({ range: { start }, message }) => `${start.line}:${start.character + 1} ${String(message)}`);
    },
  };
}
