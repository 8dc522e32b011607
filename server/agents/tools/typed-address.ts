const opening = /^[("'<[“‘„«]*$/
const closing = /^[)"'>\]”’“»*.,;:!?…]*$/

/** Whether a text contains exactly this address, not just the start of a longer one. */
export function isTypedAddress(address: string, typed: string): boolean {
  return typed.split(/\s+/).some((word) => {
    const at = word.indexOf(address)
    return at !== -1 && opening.test(word.slice(0, at)) && closing.test(word.slice(at + address.length))
  })
}
