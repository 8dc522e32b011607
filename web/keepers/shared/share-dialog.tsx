import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { canActInDomain } from '#contract/domains/domain-actions.ts'
import { type Domain, type DomainMember, getOwnRole, type MemberRole, memberRoles } from '#contract/domains/domains.ts'
import {
  type JourneyShareInfo,
  type KeeperShareInfo,
  roleGroupNames,
  type SharedPart,
  sharedParts,
  sharingInDomains,
} from '#contract/domains/sharing-in-domains.ts'
import { call } from '#web/api/api.ts'
import { useMembers, useMyDomains } from '#web/queries/use-my-domains.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { Checkbox } from '#web/ui/controls/checkbox.tsx'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { showToast } from '#web/ui/overlays/show-toast.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { ErrorPanel } from '#web/ui/panels/error-panel.tsx'
import { Skeleton } from '#web/ui/panels/skeleton.tsx'
import { getPersonName } from '#web/ui/text/person-name.ts'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { withNames } from '#web/ui/text/with-names.tsx'
import { useShares } from './shared-queries.ts'

/** A keeper, or one of its journeys. */
export interface ShareTarget {
  kind: 'keeper' | 'journey'
  id: string
  title: string
  keeperId: string
}

const partNotes: Record<SharedPart, { label: string; help: string }> = {
  moments: { label: 'Moments', help: 'All moments with their pictures and recordings, including ones you add later.' },
  journeys: {
    label: 'Journeys',
    help: 'Paths and waypoints. Their moments are included only if you share moments too.',
  },
  logbook: { label: 'Logbook', help: 'Every entry, with its category and tags.' },
  sole: { label: 'SOLE', help: 'The statements you approved, without their quotes.' },
}

interface ShareDialogProps {
  target: ShareTarget
  onClose: () => void
}

export function ShareDialog({ target, onClose }: ShareDialogProps) {
  const myDomains = useMyDomains()
  const shares = useShares(target.keeperId)
  const [chosenDomainId, setChosenDomainId] = useState<string>()
  const currentShares: (KeeperShareInfo | JourneyShareInfo)[] =
    target.kind === 'keeper'
      ? (shares.data?.keeper ?? [])
      : (shares.data?.journeys.filter(({ journeyId }) => journeyId === target.id) ?? [])
  const domainChoices = (myDomains.data ?? []).filter(
    (choice) =>
      canActInDomain(getOwnRole(choice), 'share') ||
      currentShares.some((existingShare) => existingShare.domainId === choice.id),
  )
  const domain = domainChoices.find(
    ({ id }) => id === (chosenDomainId ?? currentShares[0]?.domainId ?? domainChoices[0]?.id),
  )
  const loadError = myDomains.error ?? shares.error
  const isLoaded = myDomains.data !== undefined && shares.data !== undefined
  if (!isLoaded || !domain)
    return (
      <Dialog open onOpenChange={(open) => !open && onClose()} title="Share with members">
        {loadError && (
          <ErrorPanel
            reason={loadError}
            title="Your domains couldn’t be loaded"
            onRetry={() => Promise.all([myDomains.refetch(), shares.refetch()])}
          >
            {loadError.message}
          </ErrorPanel>
        )}
        {!loadError && !isLoaded && <Skeleton className="h-64" />}
        {!loadError && isLoaded && (
          <EmptyPanel title="No domain to share in" action={<LinkButton to="/root/domain">Domain Settings</LinkButton>}>
            Your role in your domains doesn’t allow sharing. Create your own domain first.
          </EmptyPanel>
        )}
      </Dialog>
    )
  return (
    <ShareForm
      target={target}
      domain={domain}
      domainChoices={domainChoices}
      share={currentShares.find((existingShare) => existingShare.domainId === domain.id)}
      onDomainChange={setChosenDomainId}
      onClose={onClose}
    />
  )
}

interface ShareFormProps extends ShareDialogProps {
  domain: Domain
  domainChoices: Domain[]
  share: KeeperShareInfo | JourneyShareInfo | undefined
  onDomainChange: (id: string) => void
}

function ShareForm({ target, domain, domainChoices, share, onDomainChange, onClose }: ShareFormProps) {
  const queryClient = useQueryClient()
  const members = useMembers(domain.id)
  const [parts, setParts] = useState<SharedPart[]>(share && 'parts' in share ? share.parts : [])
  const [roles, setRoles] = useState<MemberRole[]>(share?.roles ?? [])
  const changeShare = useMutation({
    async mutationFn(action: 'share' | 'stop') {
      await (action === 'share' ? saveShare() : stopSharing())
      await queryClient.invalidateQueries({ queryKey: ['shared'] })
      void showToast(
        action === 'share' ? withNames`Shared in ${domain.name}` : withNames`No longer shared in ${domain.name}`,
      )
      onClose()
    },
  })
  const pendingAction = changeShare.isPending ? changeShare.variables : undefined
  const saveShare = () =>
    target.kind === 'keeper'
      ? call(sharingInDomains.shareKeeper, { params: { id: domain.id, keeperId: target.id }, body: { parts, roles } })
      : call(sharingInDomains.shareJourney, { params: { id: domain.id, journeyId: target.id }, body: { roles } })
  const stopSharing = () =>
    target.kind === 'keeper'
      ? call(sharingInDomains.unshareKeeper, { params: { id: domain.id, keeperId: target.id } })
      : call(sharingInDomains.unshareJourney, { params: { id: domain.id, journeyId: target.id } })
  // Resets the form instead of remounting it, so that the domain field keeps focus.
  const [formDomainId, setFormDomainId] = useState(domain.id)
  if (formDomainId !== domain.id) {
    setFormDomainId(domain.id)
    setParts(share && 'parts' in share ? share.parts : [])
    setRoles(share?.roles ?? [])
    changeShare.reset()
  }
  const canShare = canActInDomain(getOwnRole(domain), 'share')
  const isReady = canShare && roles.length > 0 && (target.kind === 'journey' || parts.length > 0)

  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open && !pendingAction) onClose()
      }}
      title="Share with members"
      description={target.title}
      footer={
        <>
          {share && (
            <Button
              className="me-auto"
              busy={pendingAction === 'stop'}
              disabled={pendingAction !== undefined}
              onClick={() => changeShare.mutate('stop')}
            >
              Stop sharing
            </Button>
          )}
          <Button disabled={pendingAction !== undefined} onClick={onClose}>
            Cancel
          </Button>
          <Button
            variant="primary"
            busy={pendingAction === 'share'}
            disabled={!isReady || pendingAction !== undefined}
            onClick={() => changeShare.mutate('share')}
          >
            {share ? 'Save' : 'Share'}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-5">
        {changeShare.error && <Banner tone="error">{changeShare.error.message}</Banner>}
        <SelectField
          label="Domain"
          value={domain.id}
          onChange={(event) => onDomainChange(event.currentTarget.value)}
          options={domainChoices.map(({ id, name }) => ({ value: id, label: name }))}
        />
        {target.kind === 'keeper' && (
          <fieldset className="flex flex-col gap-2.5">
            <legend className="mb-1.5 text-ui leading-[1.125rem] font-label">What they can read</legend>
            {sharedParts.map((part) => (
              <Checkbox
                key={part}
                {...partNotes[part]}
                checked={parts.includes(part)}
                onCheckedChange={(isChecked) => setParts(toggleItem(parts, part, isChecked))}
              />
            ))}
          </fieldset>
        )}
        <fieldset className="flex flex-col gap-2.5">
          <legend className="mb-1.5 text-ui leading-[1.125rem] font-label">Who can read it</legend>
          {memberRoles.map((role) => (
            <Checkbox
              key={role}
              label={roleGroupNames[role]}
              help={listRoleHolders(members.data, role)}
              checked={roles.includes(role)}
              onCheckedChange={(isChecked) => setRoles(toggleItem(roles, role, isChecked))}
            />
          ))}
        </fieldset>
        <div role="status" className="rounded-md bg-secondary px-3.5 py-3 text-ui text-secondary-foreground">
          {describeReaders(domain, members.data, members.error, roles)}
          {domain.agreed === false && ` By sharing, you join ${domain.name}.`}
        </div>
        <p className="text-small text-muted-foreground">
          {target.kind === 'keeper'
            ? 'Never shared: reflections, memory cards, voice, echoes, drafts and deleted entries.'
            : 'Only the moments on this journey are shared, nothing else in the keeper.'}{' '}
          JPEG, PNG and WebP pictures are shared without camera data such as the location; other files are shared as you
          added them. “Not for AI” applies to models only, so members can read such moments. Members can read and copy
          what you share, but not change it.
        </p>
      </div>
    </Dialog>
  )
}

function toggleItem<T>(items: readonly T[], toggledItem: T, isChecked: boolean): T[] {
  return isChecked
    ? [...items.filter((item) => item !== toggledItem), toggledItem]
    : items.filter((item) => item !== toggledItem)
}

function listRoleHolders(members: DomainMember[] | undefined, role: MemberRole): string | undefined {
  if (!members) return undefined
  const names = members.filter((member) => member.role === role).map(getPersonName)
  return names.length === 0 ? 'No one has this role.' : formatShortList(names)
}

function describeReaders(
  domain: Domain,
  members: DomainMember[] | undefined,
  error: Error | null,
  roles: MemberRole[],
): string {
  if (error && !members) return `The members of ${domain.name} couldn’t be loaded. ${error.message}`
  if (!members) return 'Loading members...'
  if (roles.length === 0) return 'Choose at least one role.'
  const isOwner = getOwnRole(domain) === 'owner'
  const readers = members.filter(({ role }) => (role === 'owner' ? !isOwner : roles.includes(role)))
  if (readers.length === 0)
    return `No one in ${domain.name} can read this yet. People who get one of these roles later can.`
  const readerCount = pluralize(readers.length, 'person', 'people')
  const ownerNote = isOwner ? '' : ' The domain’s owner can always read what’s shared in it.'
  return `${readerCount} in ${domain.name} can read this: ${formatShortList(readers.map(getPersonName))}.${ownerNote}`
}

const maxNames = 6
function formatShortList(names: string[]): string {
  if (names.length <= maxNames) return names.join(', ')
  return `${names.slice(0, maxNames).join(', ')} and ${names.length - maxNames} more`
}
