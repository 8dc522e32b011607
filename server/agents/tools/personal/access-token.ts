import type { AuthorizationServerMetadata, AuthProvider, OAuthTokens } from '@modelcontextprotocol/client'
import { sealForWrite, toToolServerBinding } from '#server/keys/sealer.ts'
import type { Services } from '#server/services.ts'
import { ToolServerFailure } from '../tool-server-failure.ts'
import {
  createOAuthFetch,
  openForToolServer,
  type PersonalServerRow,
  type ServerSecrets,
  serverColumns,
  type ToolServerGrant,
} from './server-secrets.ts'

const expiryMarginMs = 30_000

/** Running refreshes of this process, because a refresh token works only once. */
const refreshesByServices = new WeakMap<Services, Map<string, Promise<ToolServerGrant>>>()

export function createAuthProvider(services: Services, serverId: string): AuthProvider {
  let sentToken: string | undefined
  return {
    async token() {
      const grant = (await readPersonalServer(services, serverId))?.secrets.grant
      if (!grant) return undefined
      const isExpired = grant.expiresAt !== null && grant.expiresAt - expiryMarginMs < services.now().getTime()
      const validGrant = isExpired && grant.refreshToken ? await refresh(services, serverId, grant) : grant
      sentToken = validGrant.accessToken
      return sentToken
    },
    async onUnauthorized() {
      const grant = (await readPersonalServer(services, serverId))?.secrets.grant
      if (!grant?.refreshToken) throw createSignInFailure({ wasSignedIn: grant !== undefined })
      // A parallel call has refreshed the token, and the retry sends the new one.
      if (grant.accessToken !== sentToken) return
      await refresh(services, serverId, grant)
    },
  }
}

export function toGrant(
  services: Services,
  { access_token: accessToken, refresh_token: refreshToken, expires_in: seconds }: OAuthTokens,
  details: Pick<ToolServerGrant, 'authorizationServer' | 'client' | 'resource'>,
): ToolServerGrant {
  const hasExpiry = typeof seconds === 'number' && seconds > 0 && Number.isFinite(seconds)
  const expiresAt = hasExpiry ? services.now().getTime() + seconds * 1000 : null
  return { ...details, accessToken, expiresAt, ...(refreshToken && { refreshToken }) }
}

function refresh(services: Services, serverId: string, usedGrant: ToolServerGrant): Promise<ToolServerGrant> {
  const runningRefreshes = refreshesByServices.get(services) ?? new Map<string, Promise<ToolServerGrant>>()
  refreshesByServices.set(services, runningRefreshes)
  const runningRefresh = runningRefreshes.get(serverId)
  if (runningRefresh) return runningRefresh
  const newRefresh = refreshGrant(services, serverId, usedGrant).finally(() => runningRefreshes.delete(serverId))
  runningRefreshes.set(serverId, newRefresh)
  return newRefresh
}

async function refreshGrant(
  services: Services,
  serverId: string,
  usedGrant: ToolServerGrant,
): Promise<ToolServerGrant> {
  const current = await readPersonalServer(services, serverId)
  const grant = current?.secrets.grant
  if (!current || !grant) throw createSignInFailure({ wasSignedIn: true })
  if (grant.accessToken !== usedGrant.accessToken) return grant
  const { refreshAuthorization } = await import('@modelcontextprotocol/client')
  const { authorizationServer, client, resource, refreshToken = '' } = grant
  let tokens: OAuthTokens
  try {
    tokens = await refreshAuthorization(authorizationServer.url, {
      ...(authorizationServer.metadata && {
        metadata: authorizationServer.metadata as unknown as AuthorizationServerMetadata,
      }),
      clientInformation: client,
      refreshToken,
      ...(resource !== undefined && { resource }),
      fetchFn: createOAuthFetch(services),
    })
  } catch (error) {
    const latest = (await readPersonalServer(services, serverId))?.secrets.grant
    if (latest && latest.accessToken !== usedGrant.accessToken) return latest
    // The server's answer is not passed on, because it can repeat the token.
    if (isRefusal(error)) {
      await saveSecrets(services, current.row, { ...current.secrets, grant: { ...grant, isRefused: true } })
      throw createSignInFailure({ wasSignedIn: true })
    }
    throw new ToolServerFailure('The sign-in to this server couldn’t be renewed.')
  }
  const renewed = toGrant(services, { ...tokens, refresh_token: tokens.refresh_token ?? refreshToken }, grant)
  await saveSecrets(services, current.row, { ...current.secrets, grant: renewed })
  return renewed
}

/** OAuth errors have a text code; network errors aren't refusals. */
function isRefusal(error: unknown): boolean {
  const { code, name } = error as { code?: unknown; name?: unknown }
  return name === 'OAuthError' && code !== 'server_error' && code !== 'temporarily_unavailable'
}

function createSignInFailure({ wasSignedIn }: { wasSignedIn: boolean }): ToolServerFailure {
  const message = `The server needs you to sign in${wasSignedIn ? ' again' : ''}. Do that under Your API Keys.`
  return new ToolServerFailure(message, { needsSignIn: true })
}

export async function readPersonalServer(
  services: Services,
  serverId: string,
): Promise<{ row: PersonalServerRow; secrets: ServerSecrets } | undefined> {
  const row = await services.db
    .selectFrom('personal_tool_servers')
    .select(serverColumns)
    .where('id', '=', serverId)
    .executeTakeFirst()
  const secrets = row && (await openForToolServer<ServerSecrets>(services, row, row.sealed))
  return row && secrets && { row, secrets }
}

export async function saveSecrets(
  services: Services,
  row: Pick<PersonalServerRow, 'id' | 'owner_id'>,
  secrets: ServerSecrets,
): Promise<void> {
  const text = JSON.stringify(secrets)
  const { sealed, afterWrite } = sealForWrite(services, 'personal_tool_servers', text, toToolServerBinding(row))
  await services.db.updateTable('personal_tool_servers').set({ sealed }).where('id', '=', row.id).execute()
  await afterWrite()
}
