export function getBearerToken(request: Request): string | null {
  const authorization = request.headers.get('authorization')
  return authorization?.startsWith('Bearer ') ? authorization.slice(7).trim() || null : null
}
