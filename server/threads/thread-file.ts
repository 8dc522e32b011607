/** The file of a thread: beside the module whose address is `beside`, both as source and in the bundle. */
export function threadFile(name: string, beside: string): URL {
  return new URL(`./${name}${beside.endsWith('.ts') ? '.ts' : '.js'}`, beside)
}
