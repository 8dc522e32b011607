import { hash, randomBytes } from 'node:crypto'

export interface Visitor {
  id: string
  address: string
}

interface VisitorCookie {
  visitor: Visitor
  setCookie: string | null
}

const dayInSeconds = 24 * 60 * 60

/** Identifies the visitor or creates a cookie. `__Host-` requires HTTPS, so plain HTTP uses another name. */
export function identifyVisitor(cookieHeader: string | null, address: string, isSecure: boolean): VisitorCookie {
  const name = isSecure ? '__Host-kv' : 'kv'
  const cookie = cookieHeader
    ?.split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(`${name}=`))
    ?.slice(name.length + 1)
  const value = cookie && /^[A-Za-z0-9_-]{43}$/.test(cookie) ? cookie : randomBytes(32).toString('base64url')
  const id = hash('sha256', value)
  const setCookie =
    value === cookie
      ? null
      : `${name}=${value}; Path=/; Max-Age=${dayInSeconds}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
  return { visitor: { id, address }, setCookie }
}
