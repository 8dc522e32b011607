/** navigator.clipboard exists only on https and localhost; home servers are often plain http. */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const box = document.createElement('textarea')
  box.value = text
  box.readOnly = true
  box.className = 'sr-only'
  document.body.append(box)
  box.select()
  const copied = document.execCommand('copy')
  box.remove()
  if (!copied) throw new Error('The browser refused to copy')
}
