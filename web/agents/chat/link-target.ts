/** Enough hidden characters in a URL to leak private text. */
const minCarriedLength = 40
const maxPathLength = 80

/** @returns such as `leads to evil.example`; undefined if the text already shows it, null if it can't be opened */
export function describeLinkTarget(href: string, text: string): string | null | undefined {
  const url = URL.parse(href)
  if (!url) return null
  const isMail = url.protocol === 'mailto:'
  const path = decode(url.pathname)
  const host = isMail ? getMailHost(path) : url.host
  const target = isMail ? `${path.slice(0, path.lastIndexOf('@') + 1)}${host}` : host
  const carriedLength =
    getDecodedLength(url.search + url.hash) + (!isMail && path.length > maxPathLength ? getDecodedLength(path) : 0)
  const carriesData = carriedLength >= minCarriedLength || (isMail && url.search !== '')
  if (!carriesData && isAddressItself(url, text.trim(), target)) return undefined
  const isMisleading = !isMail && /[^\s.]\.[^\s.]/.test(text) && !text.includes(host)
  const destination = isMisleading ? `leads to ${target}` : target
  return carriesData ? `${destination}, sends ${carriedLength.toLocaleString('en-US')} characters` : destination
}

/** Exact ASCII match, since letters of other scripts can imitate a known host. */
function isAddressItself(url: URL, text: string, target: string): boolean {
  if (!/^[\x21-\x7e]+$/.test(text) || url.username || url.password) return false
  if (text === target) return true
  if (url.protocol === 'mailto:') return false
  return URL.parse(/^https?:\/\//i.test(text) ? text : `${url.protocol}//${text}`)?.href === url.href
}

/** As ASCII, the way mail programs resolve it. */
function getMailHost(address: string): string {
  const host = address.slice(address.lastIndexOf('@') + 1)
  return URL.parse(`http://${host}`)?.hostname || host
}

const getDecodedLength = (text: string) => [...decode(text)].length - (/^[?#]/.test(text) ? 1 : 0)

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
