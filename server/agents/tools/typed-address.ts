const opening = /^[("'<[“‘„«]*$/
const closing = /^[)"'>\]”’“»*.,;:!?…]*$/

/** Whether an address stands in what somebody typed, word for word and whole: the beginning of a longer one does not. */
export function isTypedAddress(address: string, typed: string): boolean {
  return typed.split(/\s+/).some((word) => {
    const at = word.indexOf(address)
    return at !== -1 && opening.test(word.slice(0, at)) && closing.test(word.slice(at + address.length))
  })
}
