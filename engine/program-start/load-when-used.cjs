// Postpones two libraries of Pulumi's SDK until a program uses them.
//
// The SDK loads TypeScript and npm's Arborist at every start. It uses them only to serialise functions, which no resource of
// this project asks for. Without them, a program starts with three quarters of the processor time, and a provider with
// half of it. CommonJS, because the SDK loads both with `require`.
const Module = require("node:module");

const postponed = new Set(["typescript", "@npmcli/arborist"]);
const { _load: load } = Module;

Module._load = function loadWhenUsed(request, parent, isMain) {
  if (!postponed.has(request) || !isPartOfSdk(parent)) return load.call(this, request, parent, isMain);
  Module._resolveFilename(request, parent, isMain); // without the library, the SDK takes its own copy of TypeScript
  let loaded;
  const library = () => {
    loaded ??= load.call(this, request, parent, isMain);
    return loaded;
  };
  return new Proxy(
    {},
    {
      // TypeScript's import helper copies all properties, and so loads the library, unless this one is true.
      get: (_, name) => (name === "__esModule" ? true : library()[name]),
      has: (_, name) => name in library(),
    },
  );
};

function isPartOfSdk(parent) {
  return /[\\/]@pulumi[\\/]pulumi[\\/]/.test(parent?.filename ?? "");
}
