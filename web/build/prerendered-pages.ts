import { type ComponentType, createElement } from 'react'
import { prerender } from 'react-dom/static'
import { type Plugin, runnerImport } from 'vite'

/** Replaces `<!--prerender /accounts/login-page.tsx LoginPage-->` in an HTML file with the component's markup. */
const prerenderComment = /<!--prerender (\S+) (\w+)-->/

export function prerenderedPages(root: string): Plugin {
  return {
    name: 'keeper-prerendered-pages',
    configureServer(server) {
      server.middlewares.use((request, _response, next) => {
        const [path, query] = (request.url ?? '').split('?')
        const file = { '/': '/landing.html', '/login': '/login.html', '/register': '/register.html' }[path ?? '']
        if (file) request.url = query ? `${file}?${query}` : file
        next()
      })
    },
    transformIndexHtml: {
      order: 'pre',
      async handler(html, { server }) {
        const match = prerenderComment.exec(html)
        if (!match) {
          if (html.includes('<!--prerender'))
            throw new Error('Write a prerender comment as <!--prerender /path Component-->')
          return html
        }
        const [marker, path, name] = match as unknown as [string, string, string]
        const module = server
          ? await server.ssrLoadModule(path)
          : (await runnerImport<Record<string, unknown>>(`${root}${path}`, { root, configFile: false })).module
        const markup = await renderMarkup(module[name] as ComponentType)
        const problems = server ? [] : findHtmlProblems(markup)
        if (problems.length > 0) throw new Error(`${path} breaks the page policy: ${problems.join(', ')}`)
        return html.replace(marker, () => markup)
      },
    },
  }
}

async function renderMarkup(page: ComponentType): Promise<string> {
  const { prelude } = await prerender(createElement(page))
  return new Response(prelude).text()
}

const problemRules: [RegExp, string][] = [
  [/<style[\s>]/i, 'a <style> element'],
  [/<[^>]+\sstyle=/i, 'a style attribute: a prerendered component uses style={{}}'],
  [/<script(?![^>]*\ssrc=)[^>]*>/i, 'an inline script'],
  [/<[^>]+\son[a-z]+=/i, 'an event attribute'],
]

/** Lists the markup that the policy `script-src 'self'; style-src 'self'` refuses. */
export function findHtmlProblems(html: string): string[] {
  return problemRules.filter(([pattern]) => pattern.test(html)).map(([, name]) => name)
}
