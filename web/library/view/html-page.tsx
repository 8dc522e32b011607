import { useMemo } from 'react'
import { useTheme } from '#web/themes/base/theme-provider.tsx'
import { cleanPage, toPageDocument } from '#web/ui/text/clean-page.ts'
import { SandboxedPage } from '#web/ui/text/sandboxed-page.tsx'

const maxHtmlLength = 3_000_000

/** Sanitized: nothing that loads an address is left. */
export function HtmlPage({ html, name }: { html: string; name: string }) {
  const { mode } = useTheme()
  const page = useMemo(() => cleanPage(html.slice(0, maxHtmlLength)).html, [html])
  return (
    <>
      <SandboxedPage
        title={name}
        document={toPageDocument(page, mode)}
        className="h-[calc(100dvh-320px)] min-h-64 w-full rounded-md border border-border bg-card"
      />
      <p className="mt-2 text-small text-muted-foreground">
        Shown without scripts, styles, forms, links and external pictures.
        {html.length > maxHtmlLength && ' Only the beginning is shown here. Choose Text to see everything.'}
      </p>
    </>
  )
}
