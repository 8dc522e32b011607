export function getBearerToken(request: Request): string | null {
  const authorization = request.headers.get('authorization') ?? ''
  // Some programs repeat the scheme as a token answer spells it: "bearer".
  return /^Bearer (.*)$/i.exec(authorization)?.[1]?.trim() || null
}
