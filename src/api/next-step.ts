import type { HttpProxy } from "./proxy.ts";

/** The server to which there was no connection, in the words of a message. */
export interface Peer {
  address: string;
  /** Where its address is written: `the base URL` or a variable. */
  setting: string;
  owner: "platform" | "proxy";
  /** Whether nothing names a proxy, although there may be one. */
  mayNeedProxy: boolean;
}

/** What to do after a failure to connect, by the code of Node.js or OpenSSL. */
export function nextStep(code: string, peer: Peer): string {
  const step = stepsOfTls[code] ?? (isOfTls(code) ? checkCertificate : (stepsOfNetwork[code] ?? checkNetwork));
  return step(peer);
}

/** What to do after a proxy has answered a request itself, by its status. */
export function stepAtProxy(status: number, proxy: HttpProxy, host: string): string {
  return (stepsAtProxy[status] ?? askForAccess)(proxy, host);
}

/** Whether a code means that the certificate or the protocol is wrong, which no other attempt changes. */
export function isOfTls(code: string): boolean {
  return code in stepsOfTls || /CERT|^INVALID_(CA|PURPOSE)|^PATH_LENGTH|^ERR_SSL|^ERR_TLS|^EPROTO/.test(code);
}

type Step = (peer: Peer) => string;

const trustIssuer: Step = () =>
  "The issuer of the certificate is not known here: set NODE_EXTRA_CA_CERTS to the file with the issuer's certificate (PEM), " +
  "or have the server send its intermediate certificates, too.";
const speaksNoTls: Step = ({ address, setting }) =>
  `${address} does not speak TLS: correct the scheme or the port in ${setting}.`;
const noCommonVersion: Step = ({ owner }) => `Have TLS 1.2 or 1.3 enabled at the ${owner}.`;
const noCommonCipher: Step = ({ owner }) =>
  `Have the ${owner} accept a current cipher of TLS 1.2 or 1.3, without a client certificate.`;
const otherName: Step = ({ setting }) =>
  `Write a host name that the certificate has in ${setting}, or have the certificate issued for this one.`;
const checkCertificate: Step = ({ owner }) => `Have the ${owner}'s certificate and its settings of TLS checked.`;

const stepsOfTls: Readonly<Record<string, Step>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: () =>
    "The certificate is signed by itself: set NODE_EXTRA_CA_CERTS to the file with this certificate (PEM).",
  SELF_SIGNED_CERT_IN_CHAIN: () =>
    "The certificate authority is not known here, such as one of an organization or of a proxy that reads TLS: " +
    "set NODE_EXTRA_CA_CERTS to the file with the authority's certificate (PEM).",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: trustIssuer,
  UNABLE_TO_GET_ISSUER_CERT: trustIssuer,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: trustIssuer,
  CERT_HAS_EXPIRED: ({ owner }) => `Have the ${owner}'s certificate renewed, or correct this machine's clock.`,
  CERT_NOT_YET_VALID: ({ owner }) => `Correct this machine's clock, or have the ${owner}'s certificate replaced.`,
  CERT_REVOKED: ({ owner }) => `Have the ${owner}'s certificate replaced: its authority has revoked it.`,
  ERR_TLS_CERT_ALTNAME_INVALID: otherName,
  ERR_SSL_TLSV1_UNRECOGNIZED_NAME: otherName,
  ERR_SSL_WRONG_VERSION_NUMBER: speaksNoTls,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: speaksNoTls,
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: noCommonVersion,
  ERR_SSL_UNSUPPORTED_PROTOCOL: noCommonVersion,
  ERR_SSL_NO_PROTOCOLS_AVAILABLE: noCommonVersion,
  ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE: noCommonCipher,
  "ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE": noCommonCipher,
};

const checkName: Step = ({ address, setting, mayNeedProxy }) =>
  `The host name of ${address} does not resolve: check ${setting} and the network.${hintAt(mayNeedProxy)}`;

const stepsOfNetwork: Readonly<Record<string, Step>> = {
  ECONNREFUSED: ({ address }) =>
    `Nothing listens at ${address}: check that the server is running and that the port is right.`,
  ENOTFOUND: checkName,
  EAI_AGAIN: checkName,
};

const checkNetwork: Step = ({ setting, owner, mayNeedProxy }) =>
  `Check ${setting} and the network between this machine and the ${owner}.${hintAt(mayNeedProxy)}`;

function hintAt(mayNeedProxy: boolean): string {
  return mayNeedProxy ? " If only a proxy leads there, set HTTPS_PROXY." : "";
}

type StepAtProxy = (proxy: HttpProxy, host: string) => string;

const noWay: StepAtProxy = (_proxy, host) =>
  `The proxy does not reach ${host}: check the base URL, or add ${host} to NO_PROXY if this machine reaches it directly.`;

const stepsAtProxy: Readonly<Record<number, StepAtProxy>> = {
  407: ({ variable, hasUser }) =>
    hasUser
      ? `Correct the user name and the password in ${variable}.`
      : `Add a user name and a password to ${variable}: http://USER:PASSWORD@HOST:PORT.`,
  502: noWay,
  503: noWay,
  504: noWay,
};

const askForAccess: StepAtProxy = (_proxy, host) =>
  `Have ${host} allowed at the proxy, or add it to NO_PROXY if this machine reaches it directly.`;
