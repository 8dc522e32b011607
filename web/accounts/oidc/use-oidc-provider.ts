import { useEffect, useState } from 'react'
import { oidc } from '#contract/accounts/oidc.ts'
import { type CallResult, call } from '#web/api/api.ts'

export type OidcProvider = CallResult<typeof oidc.provider>

/** The identity provider of this server; undefined if there is none, or the server doesn't answer. */
export function useOidcProvider(): OidcProvider | undefined {
  const [provider, setProvider] = useState<OidcProvider>()
  useEffect(() => {
    call(oidc.provider).then(
      (answer) => {
        if (answer.label || answer.problem) setProvider(answer)
      },
      () => undefined,
    )
  }, [])
  return provider
}
