// Node.js 22.18 is the first that runs TypeScript as it is. npm brings Node.js 24 on Linux (x64, arm64); elsewhere the host's is used.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(
    `Lockkeeper needs Node.js 22.18 or newer, and this is ${process.versions.node} (${process.execPath}). Install a newer one from https://nodejs.org, then run the command again.`,
  );
  process.exit(1);
}
