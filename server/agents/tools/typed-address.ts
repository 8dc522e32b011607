const openingPunctuation = /^[("'<[“‘„«]*$/
const closingPunctuation = /^[)"'>\]”’“»*.,;:!?…]*$/

/** Whether a text contains exactly this address, not just the start of a longer one. */
export function isTypedAddress(address: string, typedText: string): boolean {
  return typedText.split(/\s+/).some((word) => {
    const index = word.indexOf(address)
    return (
      index !== -1 &&
      openingPunctuation.test(word.slice(0, index)) &&
      closingPunctuation.test(word.slice(index + address.length))
    )
  })
}
