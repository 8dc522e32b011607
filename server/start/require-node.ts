/** `crypto.argon2` came with 24.7. scripts/bootstrap.cjs names the same version. */
export const minNodeVersion = '24.7.0'

export function isNodeSupported(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [minMajor = 0, minMinor = 0] = minNodeVersion.split('.').map(Number)
  return major > minMajor || (major === minMajor && minor >= minMinor)
}

/** Ends the process with one line on a Node that is too old. Call it before importing other modules, which may not load there. */
export function requireNode(): void {
  if (isNodeSupported(process.versions.node)) return
  console.error(
    `Keeper needs Node ${minNodeVersion} or newer. This is ${process.version}. In a checkout, \`npm start\` installs the right version on Linux and Windows.`,
  )
  process.exit(1)
}

/** Whether Node was started with this module. Node before 24.2 can't tell, and would end silently. */
export function isMain(meta: ImportMeta): boolean {
  requireNode()
  return meta.main
}
