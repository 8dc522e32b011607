/** The file of a thread: beside the module whose address is `beside`, both as source and in the bundle. */
export function threadFile(name: string, beside: string): URL {
  return new URL(`./${name}${beside.endsWith('.ts') ? '.ts' : '.js'}`, beside)
}

/** A thread’s environment: ours holds secrets, and a thread needs none of it but the place of compiled code. */
export function threadEnvironment(): NodeJS.ProcessEnv {
  const { NODE_COMPILE_CACHE } = process.env
  return NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }
}
