/** A Markdown document that every Keeper serves to programs; files of docs/ keep their path. */
export interface ServedDocument {
  /** In the repository. */
  source: string
  /** Serves only this section of the source, at `path`. */
  section?: { heading: string; path: string }
  title: string
  description: string
}

export interface DocumentGroup {
  heading: string
  documents: ServedDocument[]
}

export const llmsPath = '/llms.txt'

/** Documents that Keeper serves, in the order of /llms.txt. Readers with a small context can skip the last group. */
export const documentGroups: DocumentGroup[] = [
  {
    heading: 'Connecting programs',
    documents: [
      {
        source: 'docs/connecting-programs.md',
        title: 'Connecting programs',
        description: 'MCP, the API and OpenAI-compatible chats: settings for each client, access tokens, curl',
      },
    ],
  },
  {
    heading: 'Using Keeper',
    documents: [
      {
        source: 'docs/guides/my-keeper.md',
        title: 'My Keeper',
        description: 'moments, reflections, memory cards and the story',
      },
      {
        source: 'docs/guides/architect.md',
        title: 'Architect',
        description: 'agents, boards and themes',
      },
      { source: 'docs/guides/admin.md', title: 'Admin', description: 'accounts, roles, keys and diagnostics' },
    ],
  },
  {
    heading: 'Running Keeper',
    documents: [
      {
        source: 'docs/operating.md',
        title: 'Operating',
        description: 'installing, proxies, databases, backups, updates, single sign-on and monitoring',
      },
      {
        source: 'README.md',
        section: { heading: 'Settings', path: '/docs/settings.md' },
        title: 'Settings',
        description: 'every setting with its default',
      },
      { source: 'docs/privacy.md', title: 'Privacy', description: 'which data leaves the server, when and to whom' },
    ],
  },
  {
    heading: 'Optional',
    documents: [
      {
        source: 'docs/api.md',
        title: 'Calls',
        description:
          'every endpoint with its input and output (about 200 kB); also available as JSON at /api/openapi.json',
      },
      { source: 'docs/accessibility.md', title: 'Accessibility', description: 'keyboard, screen readers, contrast' },
      { source: 'docs/scaling.md', title: 'Scaling', description: 'capacity and the first bottlenecks' },
    ],
  },
]

export const servedDocuments: ServedDocument[] = documentGroups.flatMap(({ documents }) => documents)

export const getDocumentPath = ({ source, section }: ServedDocument): string => section?.path ?? `/${source}`
