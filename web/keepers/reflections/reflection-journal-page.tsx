import { useEffect, useState } from 'react'
import { useLocation, useNavigate, useParams, useSearchParams } from 'react-router'
import type { Keeper } from '#contract/keepers/keepers.ts'
import type { Reflection } from '#contract/keepers/reflections.ts'
import { isDemoKeeper } from '#contract/samples/demo-ids.ts'
import { useAuth } from '#web/accounts/auth-provider.tsx'
import { isNotFound } from '#web/api/api.ts'
import { QueryStatus } from '#web/queries/query-status.tsx'
import { AnchorButton } from '#web/ui/controls/button.tsx'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { Tabs } from '#web/ui/controls/tabs.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { IsByReader } from '#web/ui/text/written-text.tsx'
import { KeeperSectionNav } from '../dashboard/keeper-section-nav.tsx'
import { DemoNote } from '../entries/entry-parts.tsx'
import { KeeperCrumb, KeeperMissing, NoKeeperError, useKeeper } from '../keeper-frame.tsx'
import { useKeeperTheme } from '../use-keeper-theme.ts'
import { AllReflections } from './all-reflections.tsx'
import { EditReflection, NewReflection } from './edit-reflection.tsx'
import { getJournalTab, getReadingPath, getTabPath, JournalProvider, type JournalTab } from './journal-context.ts'
import { useReflection, useSuggestedReflections } from './journal-queries.ts'
import { ReflectionStatus, useUnsavedChange } from './reflection-parts.tsx'
import { ReflectionReader } from './reflection-reader.tsx'
import { SuggestedPromotions } from './suggested-promotions.tsx'

/** `?reflection=` opens one reflection, as other pages link to it. */
export function ReflectionJournalPage() {
  const { id = '' } = useParams()
  const { isAuthenticated } = useAuth()
  const isValidId = id.trim() !== ''
  return (
    <>
      <h1 data-chrome className="sr-only">
        Reflection Journal
      </h1>
      {!isValidId && <InvalidKeeper />}
      {isValidId && (isAuthenticated ? <JournalLoader id={id} /> : <SignedOut />)}
    </>
  )
}

function SignedOut() {
  const { pathname, search } = useLocation()
  return (
    <Banner
      tone="warning"
      action={
        <AnchorButton size="small" href={`/login?next=${encodeURIComponent(pathname + search)}`}>
          Sign in
        </AnchorButton>
      }
    >
      Please log in to access the reflection journal.
    </Banner>
  )
}

function InvalidKeeper() {
  return (
    <EmptyPanel
      drawing="drawer"
      title="Invalid keeper ID provided."
      action={<LinkButton to="/keeper">Return to Keepers</LinkButton>}
    />
  )
}

function JournalLoader({ id }: { id: string }) {
  const query = useKeeper(id)
  const { data: keeper, error, isPending } = query
  useKeeperTheme(id, isPending ? undefined : (keeper ?? null))
  useEffect(() => {
    if (error && !(error instanceof NoKeeperError)) console.error('Failed to load keeper', error)
  }, [error])
  if (!keeper && error instanceof NoKeeperError) return <KeeperMissing error={error} />
  if (!keeper && isNotFound(error)) return <InvalidKeeper />
  return (
    <>
      {(keeper || isPending) && <KeeperSectionNav id={id} keeper={keeper} />}
      {keeper ? (
        <>
          <KeeperCrumb keeper={keeper} />
          <Journal key={keeper.id} keeper={keeper} />
        </>
      ) : (
        <QueryStatus
          query={query}
          title="The journal couldn’t be opened"
          skeletonClassName="mx-auto mt-14 h-[460px] max-w-[38rem]"
          action={<LinkButton to="/keeper">Return to Keepers</LinkButton>}
        />
      )}
    </>
  )
}

function Journal({ keeper }: { keeper: Keeper }) {
  const isDemo = isDemoKeeper(keeper.id)
  return (
    <JournalProvider value={keeper}>
      {isDemo && <DemoNote />}
      <IsByReader value={true}>
        <JournalTabs />
      </IsByReader>
    </JournalProvider>
  )
}

function JournalTabs() {
  const [query] = useSearchParams()
  const navigate = useNavigate()
  const suggestions = useSuggestedReflections()
  const tab = getJournalTab(query)
  const reflection = query.get('reflection')
  const suggestionCount = suggestions.data?.length

  return (
    <Tabs<JournalTab>
      label="Reflection journal"
      value={tab}
      onValueChange={(next) => navigate(getTabPath(next))}
      tabs={[
        { id: 'write', label: 'Write Reflection' },
        { id: 'all', label: 'All Reflections' },
        {
          id: 'suggested',
          label: 'Suggested Promotions',
          ...(suggestionCount !== undefined && { count: suggestionCount }),
          needsAttention: true,
        },
      ]}
    >
      {tab === 'write' && (reflection ? <EditLoader key={reflection} id={reflection} /> : <NewReflection />)}
      {tab === 'all' && (reflection ? <ReflectionReader key={reflection} id={reflection} /> : <AllReflections />)}
      {tab === 'suggested' && <SuggestedPromotions />}
    </Tabs>
  )
}

function EditLoader({ id }: { id: string }) {
  const query = useReflection(id)
  const { reflection } = query
  const [wasOpenedUnlocked, setWasOpenedUnlocked] = useState(false)
  if (reflection && !reflection.promotedToMemoryCard && !wasOpenedUnlocked) setWasOpenedUnlocked(true)
  if (!reflection) return <ReflectionStatus query={query} className="mx-auto h-[640px] max-w-[38rem]" />
  if (!wasOpenedUnlocked) return <LockedReflection reflection={reflection} />
  return <EditReflection reflection={reflection} />
}

/** Unsaved edits of a locked reflection stay available, to be saved as a new reflection. */
function LockedReflection({ reflection }: { reflection: Reflection }) {
  const { ready, hasUnsavedChange } = useUnsavedChange(reflection)
  const [hasUnsavedEdit, setHasUnsavedEdit] = useState(false)
  if (hasUnsavedChange && !hasUnsavedEdit) setHasUnsavedEdit(true)
  if (hasUnsavedEdit) return <EditReflection reflection={reflection} />
  if (!ready) return null
  return (
    <EmptyPanel
      drawing="seal"
      title="This reflection is locked"
      action={<LinkButton to={getReadingPath(reflection.id)}>Read reflection</LinkButton>}
    >
      You kept this reflection as a memory card. Edit the card, or write a new reflection.
    </EmptyPanel>
  )
}
