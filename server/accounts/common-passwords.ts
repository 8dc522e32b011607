let common: Set<string> | undefined

/** Whether a password is on the bundled list of the most common ones; the list is read on first use. */
export async function isCommonPassword(password: string): Promise<boolean> {
  if (!common) {
    const { dictionary } = await import('@zxcvbn-ts/language-common')
    common = new Set((dictionary as unknown as { 'passwords-common': string[] })['passwords-common'])
  }
  return common.has(password.toLowerCase())
}
