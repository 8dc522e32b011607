import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { boardSharing } from '#contract/boards/board-sharing.ts'
import { call, isNotFound } from '#web/api/api.ts'
import { readSetting, writeSetting } from '#web/offline/browser-memory.ts'
import { useCrumb } from '#web/page/crumb.ts'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { PageHeader } from '#web/ui/panels/page-header.tsx'
import { Time } from '#web/ui/text/time.tsx'
import { BoardPending } from '../entity/board-states.tsx'
import { BoardPreview } from '../layouts/board-preview.tsx'

/** A revoked link closes the board after this time at the latest. */
const refetchIntervalMs = 20_000

export function LinkedBoardView({ token }: { token: string | null }) {
  const [isLinkInvalid, setLinkInvalid] = useState(token === null)
  const query = useQuery({
    queryKey: ['board-link', token],
    enabled: !isLinkInvalid,
    queryFn: async ({ signal }) => {
      try {
        return await call(boardSharing.openLinked, { body: { token: token ?? '' }, signal })
      } catch (reason) {
        if (isNotFound(reason)) {
          storeLinkToken(null)
          setLinkInvalid(true)
        }
        throw reason
      }
    },
    retry: false,
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: 'always',
    refetchInterval: refetchIntervalMs,
  })
  const { data, error } = query
  const boardId = data?.id ?? ''
  const frameContext = useMemo(
    () => ({ boardId, entityType: null, entityId: null, mode: 'view' as const, linkToken: token ?? undefined }),
    [boardId, token],
  )
  useCrumb(isLinkInvalid ? undefined : data?.name)

  if (isLinkInvalid) {
    return (
      <EmptyPanel
        drawing="frames"
        title="This link no longer opens a board."
        action={<LinkButton to="/board-demo">View the demo</LinkButton>}
      >
        The link was revoked or replaced, or it’s incomplete. Ask the person who shared it for a new one.
      </EmptyPanel>
    )
  }
  if (!data) return <BoardPending queries={[query]} />
  return (
    <>
      <PageHeader
        title={data.name || 'Untitled Board'}
        badges={<Badge tone="outlined">View only</Badge>}
        subtitle={
          <>
            {data.description && <span className="block">{data.description}</span>}
            <span className="block text-small">
              Last changed <Time value={data.lastModified} />.
            </span>
          </>
        }
      />
      {error && (
        <Banner tone="warning" className="mb-4">
          The server isn’t responding. You’re seeing the board as it last loaded.
        </Banner>
      )}
      <div className="overflow-hidden rounded-lg border border-border">
        <BoardPreview
          config={data.config}
          frames={data.frames}
          frameContext={frameContext}
          changeContent={ignoreChanges}
        />
      </div>
    </>
  )
}

const ignoreChanges = () => {}

const linkTokenKey = 'keeper_board_link'
const linkHashPattern = /^#link=([\w-]{1,200})$/

export function parseLinkToken(hash: string): string | undefined {
  return linkHashPattern.exec(hash)?.[1]
}

/** Survives a reload, so that the token can be removed from the address. */
export const storeLinkToken = (token: string | null) => writeSetting(linkTokenKey, token, 'sessionStorage')
export const getStoredLinkToken = () => readSetting(linkTokenKey, 'sessionStorage')
