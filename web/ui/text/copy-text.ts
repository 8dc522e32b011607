/** navigator.clipboard exists only on https and localhost; home servers are often plain http. */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const textArea = document.createElement('textarea')
  textArea.value = text
  textArea.readOnly = true
  textArea.className = 'sr-only'
  document.body.append(textArea)
  textArea.select()
  const hasCopied = document.execCommand('copy')
  textArea.remove()
  if (!hasCopied) throw new Error('The browser refused to copy')
}
