import { BookOpen, NotebookTabs, Pencil, Sparkle } from 'lucide-react'
import { useEffect } from 'react'
import { useSearchParams } from 'react-router'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { isDemoKeeper } from '#contract/samples/demo-ids.ts'
import { previewTheme } from '#web/themes/base/theme-memory.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'
import { Card } from '#web/ui/panels/card.tsx'
import { PageHeader } from '#web/ui/panels/page-header.tsx'
import { getDashboardPath, getMemoryToolsPath, getTemplatesPath } from '../keeper-addresses.ts'
import { KeeperLoader } from '../keeper-frame.tsx'
import { ShareButton, SharedMark, toShareTarget } from '../shared/shared-mark.tsx'
import { getChosenTheme } from '../use-keeper-theme.ts'
import { KeeperDetails, KeeperEditForm, SavedBanner, useKeeperEdit } from './keeper-fields.tsx'

export function KeeperMetadataPage() {
  const [query] = useSearchParams()
  return (
    <KeeperLoader id={query.get('id') ?? ''} pageName="Keeper Metadata" backLabel="Back to All Keepers">
      {(keeper) => <KeeperMetadata keeper={keeper} />}
    </KeeperLoader>
  )
}

function KeeperMetadata({ keeper }: { keeper: Keeper }) {
  const edit = useKeeperEdit(keeper)
  const isDemo = isDemoKeeper(keeper.id)
  // Previews the theme selected in the form.
  const themeSlug = getChosenTheme(edit.isEditing ? edit.form.values.theme : keeper.theme)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a changed theme of the keeper replaces the preview
  useEffect(() => previewTheme(themeSlug === undefined ? null : { slug: themeSlug }), [themeSlug, keeper.theme])

  return (
    <>
      <PageHeader
        title={
          <span dir="auto" className="block text-h2">
            {keeper.title}
          </span>
        }
        badges={isDemo && <Badge tone="warning">sample</Badge>}
        subtitle="Keeper Metadata"
        actions={
          !edit.isEditing && (
            <Button
              variant="primary"
              disabled={isDemo}
              onClick={() => edit.setEditing(true)}
              icon={<Pencil aria-hidden size={14} />}
            >
              Edit
            </Button>
          )
        }
      />
      <SavedBanner edit={edit} />
      <Card>{edit.isEditing ? <KeeperEditForm edit={edit} /> : <KeeperDetails keeper={keeper} />}</Card>
      {isDemo && (
        <p className="mt-3 text-small text-muted-foreground">This is a sample. Nothing in it can be changed.</p>
      )}
      <p className="mt-3 empty:hidden">
        <SharedMark target={toShareTarget(keeper)} />
      </p>
      <nav aria-label="This keeper" className="mt-6 flex flex-wrap gap-2">
        <LinkButton to={getDashboardPath(keeper.id)} icon={<BookOpen aria-hidden size={15} />}>
          Open dashboard
        </LinkButton>
        <LinkButton to={getTemplatesPath(keeper.id)} icon={<NotebookTabs aria-hidden size={15} />}>
          Engagement Templates
        </LinkButton>
        {keeper.memoryPattern !== '' && (
          <LinkButton to={getMemoryToolsPath(keeper.id)} icon={<Sparkle aria-hidden size={15} />}>
            Memory Tools
          </LinkButton>
        )}
        <ShareButton target={toShareTarget(keeper)} />
      </nav>
    </>
  )
}
