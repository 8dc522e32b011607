export function getBearerToken(request: Request): string | null {
  const authorization = request.headers.get('authorization') ?? ''
  // Some programs copy the scheme in lower case from `token_type` in a token answer.
  return /^Bearer (.*)$/i.exec(authorization)?.[1]?.trim() || null
}
