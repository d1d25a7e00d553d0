const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name } = process.env;

/** Where the sources are. GitHub Actions knows it; elsewhere a name stands for it that nobody can register, as in the SDKs. */
export const repositoryUrl = server && name ? `${server}/${name}` : "https://integration-platform.example";
