import { type UseMutationResult, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import {
  type BoardLink,
  type BoardShareInfo,
  boardSharing,
  type MemberRight,
  memberRights,
  type RoleRights,
} from '#contract/boards/board-sharing.ts'
import type { Board } from '#contract/boards/boards.ts'
import { canActInDomain } from '#contract/domains/domain-actions.ts'
import { type Domain, getOwnRole, memberRoles } from '#contract/domains/domains.ts'
import { roleGroupNames } from '#contract/domains/sharing-in-domains.ts'
import { formatFullTime } from '#web/agents/runs/log-texts.ts'
import { call } from '#web/api/api.ts'
import { useMembers, useMyDomains } from '#web/queries/use-my-domains.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { CopyButton } from '#web/ui/controls/copy-button.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { showToast } from '#web/ui/overlays/show-toast.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { ErrorPanel } from '#web/ui/panels/error-panel.tsx'
import { Skeleton } from '#web/ui/panels/skeleton.tsx'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { withNames } from '#web/ui/text/with-names.tsx'
import { boardsKey } from '../board-queries.ts'

const rightNames: Record<MemberRight, string> = { none: 'No access', view: 'Can view', edit: 'Can edit' }
const noRights: RoleRights = { admin: 'none', user: 'none', friend: 'none', connection: 'none' }

const sharesKey = (boardId: string) => [...boardsKey, 'shares', boardId] as const

interface SharingChange {
  kind: 'share' | 'stop' | 'link'
  send: () => Promise<unknown>
}
type SharingMutation = UseMutationResult<unknown, Error, SharingChange>

interface ShareBoardDialogProps {
  board: Pick<Board, 'id' | 'name'>
  onClose: () => void
}

export default function ShareBoardDialog({ board, onClose }: ShareBoardDialogProps) {
  const queryClient = useQueryClient()
  const domainsQuery = useMyDomains()
  const sharesQuery = useQuery({
    queryKey: sharesKey(board.id),
    queryFn: ({ signal }) => call(boardSharing.shares, { params: { id: board.id }, signal }),
  })
  const [chosenDomainId, setChosenDomainId] = useState<string>()
  const sharing: SharingMutation = useMutation({
    async mutationFn({ send }) {
      await send()
      await queryClient.invalidateQueries({ queryKey: boardsKey })
    },
  })
  const domainShares = sharesQuery.data?.domains ?? []
  const choices = (domainsQuery.data ?? []).filter(
    (choice) =>
      canActInDomain(getOwnRole(choice), 'share') || domainShares.some(({ domainId }) => domainId === choice.id),
  )
  const domain = choices.find(({ id }) => id === (chosenDomainId ?? domainShares[0]?.domainId ?? choices[0]?.id))
  const error = domainsQuery.error ?? sharesQuery.error
  const isLoaded = domainsQuery.data !== undefined && sharesQuery.data !== undefined

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Share this board"
      description={board.name}
      footer={<Button onClick={onClose}>Done</Button>}
    >
      {!isLoaded && !error && <Skeleton className="h-72" />}
      {!isLoaded && error && (
        <ErrorPanel
          reason={error}
          title="Couldn’t load who can see this board"
          onRetry={() => Promise.all([domainsQuery.refetch(), sharesQuery.refetch()])}
        >
          {error.message}
        </ErrorPanel>
      )}
      {isLoaded && (
        <div className="flex flex-col gap-6">
          {sharing.error && <Banner tone="error">{sharing.error.message}</Banner>}
          {domain ? (
            <DomainShareForm
              key={domain.id}
              board={board}
              domain={domain}
              choices={choices}
              share={domainShares.find(({ domainId }) => domainId === domain.id)}
              onDomainChange={setChosenDomainId}
              sharing={sharing}
            />
          ) : (
            <p className="text-ui text-muted-foreground">
              Your roles in your domains don’t allow sharing. You can still create a link.
            </p>
          )}
          <BoardLinkPanel boardId={board.id} link={sharesQuery.data.link} sharing={sharing} />
        </div>
      )}
    </Dialog>
  )
}

interface DomainShareFormProps {
  board: Pick<Board, 'id' | 'name'>
  domain: Domain
  choices: Domain[]
  share: BoardShareInfo | undefined
  onDomainChange: (id: string) => void
  sharing: SharingMutation
}

function DomainShareForm({ board, domain, choices, share, onDomainChange, sharing }: DomainShareFormProps) {
  const members = useMembers(domain.id)
  const [rights, setRights] = useState<RoleRights>(share?.rights ?? noRights)
  const pendingKind = sharing.isPending ? sharing.variables.kind : undefined
  const otherPeopleCount = share?.people
  const params = { id: board.id, domainId: domain.id }
  const hasNoRights = memberRoles.every((role) => rights[role] === 'none')
  const isUnchanged = share !== undefined && memberRoles.every((role) => rights[role] === share.rights[role])

  async function shareBoard() {
    await call(boardSharing.share, { params, body: { rights } })
    void showToast(withNames`Shared in ${domain.name}`)
  }
  async function stopSharing() {
    await call(boardSharing.unshare, { params })
    setRights(noRights)
    void showToast(withNames`No longer shared in ${domain.name}`)
  }

  return (
    <section aria-label="Members of a domain" className="flex flex-col gap-3.5">
      <SelectField
        label="Domain"
        value={domain.id}
        onChange={(event) => onDomainChange(event.currentTarget.value)}
        options={choices.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <ul className="flex flex-col gap-2">
        {memberRoles.map((role) => {
          const names =
            members.data?.filter((member) => member.role === role).map(({ name, email }) => name ?? email) ?? []
          return (
            <li key={role} className="grid grid-cols-[minmax(0,1fr)_132px] items-center gap-3">
              <div className="min-w-0">
                <p className="text-ui font-label">{roleGroupNames[role]}</p>
                <p className="truncate text-small text-muted-foreground">
                  {names.length > 0 ? names.join(', ') : 'No one has this role.'}
                </p>
              </div>
              <SelectField
                label={`Access for ${roleGroupNames[role].toLowerCase()}`}
                labelHidden
                value={rights[role]}
                onChange={(event) => setRights({ ...rights, [role]: event.currentTarget.value as MemberRight })}
                options={memberRights.map((right) => ({ value: right, label: rightNames[right] }))}
              />
            </li>
          )
        })}
      </ul>
      <p className="text-small text-muted-foreground">
        {domain.agreed === false && `By sharing, you join ${domain.name}. `}
        {getOwnRole(domain) === 'owner'
          ? 'Content from your keepers, agents and domains stays private: others see only what they already have access to.'
          : 'The domain’s owner gets the highest access you give any of these roles. Content from your keepers and agents stays private.'}
      </p>
      <div className="flex flex-wrap items-center gap-2">
        <Button
          variant="primary"
          busy={pendingKind === 'share'}
          disabled={hasNoRights || isUnchanged || pendingKind !== undefined}
          onClick={() => sharing.mutate({ kind: 'share', send: shareBoard })}
        >
          {share ? 'Save' : 'Share'}
        </Button>
        {share && (
          <Button
            busy={pendingKind === 'stop'}
            disabled={pendingKind !== undefined}
            onClick={() => sharing.mutate({ kind: 'stop', send: stopSharing })}
          >
            Stop sharing
          </Button>
        )}
        {otherPeopleCount !== undefined && (
          <span role="status" className="text-small text-muted-foreground">
            {pluralize(otherPeopleCount, 'other person', 'other people')} can open this board.
          </span>
        )}
      </div>
    </section>
  )
}

interface BoardLinkPanelProps {
  boardId: string
  link: BoardLink | null
  sharing: SharingMutation
}

function BoardLinkPanel({ boardId, link, sharing }: BoardLinkPanelProps) {
  const queryClient = useQueryClient()
  const [isRevoking, setIsRevoking] = useState(false)
  const params = { id: boardId }

  // The confirmation shows the failure, so `sharing` must not report it too.
  async function revoke() {
    sharing.reset()
    await call(boardSharing.removeLink, { params })
    await queryClient.invalidateQueries({ queryKey: boardsKey })
  }

  return (
    <section aria-label="View-only link" className="flex flex-col gap-3 border-t border-border pt-5">
      <div>
        <h3 className="font-sans text-ui leading-5 font-semibold tracking-normal">View-only link</h3>
        <p className="mt-0.5 text-small text-muted-foreground">
          Anyone with the link can see the saved board without an account: pictures, text, steps and code. Chats, runs,
          and the content of keepers, agents and domains stay hidden.
        </p>
      </div>
      {link ? (
        <>
          <div className="flex items-end gap-2">
            <TextField label="Link" value={link.link} readOnly className="min-w-0 grow" />
            <CopyButton text={link.link} size="medium">
              Copy
            </CopyButton>
          </div>
          <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
            <Button disabled={sharing.isPending} onClick={() => setIsRevoking(true)}>
              Revoke
            </Button>
            <span className="text-small text-muted-foreground tabular-nums">
              Created {formatFullTime(link.madeAt)}
              {link.openedAt ? `, last opened ${formatFullTime(link.openedAt)}.` : ', not opened yet.'}
            </span>
          </div>
        </>
      ) : (
        <Button
          className="self-start"
          busy={sharing.isPending && sharing.variables.kind === 'link'}
          disabled={sharing.isPending}
          onClick={() => sharing.mutate({ kind: 'link', send: () => call(boardSharing.makeLink, { params }) })}
        >
          Create link
        </Button>
      )}
      <ConfirmDialog
        open={isRevoking}
        onOpenChange={setIsRevoking}
        title="Revoke this link?"
        confirmLabel="Revoke"
        onConfirm={revoke}
      >
        The link stops working right away for everyone who has it. You can create another one.
      </ConfirmDialog>
    </section>
  )
}
