import { Check, Pencil } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useTheme } from '#web/themes/base/theme-provider.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { cleanPage, toPageDocument } from '#web/ui/text/clean-page.ts'
import { SandboxedPage } from '#web/ui/text/sandboxed-page.tsx'
import { FrameNote } from './frame-boundary.tsx'

interface PreviewPageProps {
  html: string
  name: string
  onChange: ((html: string) => void) | undefined
  onChooseEntity: (() => void) | undefined
}

/** Renders HTML in a sandbox without scripts, forms or network access. */
export function PreviewPage({ html, name, onChange, onChooseEntity }: PreviewPageProps) {
  const [isEditing, setEditing] = useState(false)
  const page = useMemo(() => cleanPage(html), [html])
  const isEmpty = html.trim() === ''
  const isWriting = onChange !== undefined && (isEditing || isEmpty)
  if (isEmpty && !onChange) return <FrameNote>This page is empty.</FrameNote>
  return (
    <div className="flex h-full min-h-0 flex-col">
      {isWriting ? (
        <textarea
          aria-label="The page as HTML"
          placeholder="<h1>A page</h1>"
          // biome-ignore lint/a11y/noAutofocus: it replaces the button that was pressed
          autoFocus={isEditing}
          value={html}
          maxLength={20_000}
          spellCheck={false}
          onChange={(event) => {
            setEditing(true)
            onChange(event.currentTarget.value)
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return
            event.stopPropagation()
            setEditing(false)
          }}
          className="min-h-0 grow resize-none bg-transparent px-3 py-2 font-mono text-code outline-none focus-visible:inset-ring-2 focus-visible:inset-ring-ring"
        />
      ) : (
        <Sandbox html={page.html} name={name} />
      )}
      {onChange && (
        <div className="flex shrink-0 items-center gap-1 border-t border-hairline ps-3 pe-1.5 text-small text-muted-foreground">
          <span className="min-w-0 grow py-1">
            {page.hasRemovedContent ? 'Scripts, styles, forms and links are removed.' : ''}
          </span>
          {onChooseEntity && isEmpty && (
            <Button size="small" variant="plain" onClick={onChooseEntity}>
              Show an entity instead
            </Button>
          )}
          {!isEmpty && (
            <IconButton
              label={isWriting ? 'Show the page' : 'Edit the page'}
              size="small"
              onClick={() => setEditing(!isWriting)}
            >
              {isWriting ? <Check aria-hidden size={14} /> : <Pencil aria-hidden size={13} />}
            </IconButton>
          )}
        </div>
      )}
    </div>
  )
}

function Sandbox({ html, name }: { html: string; name: string }) {
  const { mode } = useTheme()
  const page = useMemo(() => toPageDocument(html, mode), [html, mode])
  return <SandboxedPage title={name} document={page} className="min-h-0 w-full grow border-0 bg-card" />
}
