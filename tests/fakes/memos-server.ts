import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { png } from '../create-zip.ts'

export const memosVersions = ['0.22', '0.24', '0.25', '0.30'] as const
export type MemosVersion = (typeof memosVersions)[number]

export const memosToken = 'memos_pat_q7LxT2vR9'

export interface MemosFake {
  url: string
  host: string
  /** Paths with query of all requests. */
  requests: string[]
  /** Authorization headers of requests for a redirected file. */
  bucketHeaders: (string | undefined)[]
  /** Replaces the answer to a path; true when it has answered. */
  intercept: (path: string, response: ServerResponse) => boolean
  close(): Promise<void>
}

interface StoredMemo {
  id: number
  uid: string
  creator: number
  content: string
  isArchived?: boolean
  isPrivate?: boolean
  parent?: number
  files?: string[]
}

/** Ada has two pages of memos, an archived memo and a comment; other people share one memo and one comment. */
const storedMemos: StoredMemo[] = [
  ...Array.from({ length: 103 }, (_, index) => ({
    id: index + 1,
    uid: `uid${index + 1}`,
    creator: 1,
    content: `Memo ${index + 1}`,
  })),
  {
    id: 201,
    uid: 'seaUid',
    creator: 1,
    content: 'At the sea. #sea',
    isPrivate: true,
    files: ['gull & sea.png', 'big.png'],
  },
  { id: 202, uid: 'oldUid', creator: 1, content: 'Put away.', isArchived: true, files: ['gone.png'] },
  { id: 203, uid: 'otherUid', creator: 2, content: 'Shared by Ben.' },
  { id: 204, uid: 'commentUid', creator: 1, content: 'My comment.', parent: 201 },
  { id: 205, uid: 'strangeUid', creator: 2, content: 'A comment by Ben.', parent: 201 },
]
export const ownMemoCount = 106

interface Answers {
  send(status: number, value: unknown): unknown
  refuse(status: number, code: number, message: string): unknown
}

/** The API of memos as its sources of each version define it, with one account and its access token. */
export async function startMemosFake(version: MemosVersion): Promise<MemosFake> {
  const isOld = version === '0.22'
  const hasResources = isOld || version === '0.24'
  const nameUser = (id: number) => (version === '0.30' ? `users/${id === 1 ? 'ada' : 'ben'}` : `users/${id}`)
  const nameMemo = ({ id, uid }: StoredMemo) => `memos/${isOld ? id : uid}`
  const server = createServer((request, response) => serve(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const fake: MemosFake = {
    url: `http://${host}`,
    host,
    requests: [],
    bucketHeaders: [],
    intercept: () => false,
    close: () => new Promise((resolve) => server.close(() => resolve()).closeAllConnections()),
  }

  function toRelation(from: StoredMemo, to: StoredMemo) {
    const [memo, relatedMemo] = [nameMemo(from), nameMemo(to)]
    const type = 'COMMENT'
    return isOld
      ? { memo, relatedMemo, type }
      : { memo: { name: memo, snippet: '' }, relatedMemo: { name: relatedMemo, snippet: '' }, type }
  }

  function toMemo(memo: StoredMemo) {
    const createTime = new Date(Date.UTC(2024, 0, 1, 0, memo.id)).toISOString().replace('.000', '')
    const files = (memo.files ?? []).map((filename, index) => ({
      name: `${hasResources ? 'resources' : 'attachments'}/${isOld ? memo.id * 10 + index : `file${memo.uid}${index}`}`,
      ...(hasResources && { uid: `file${memo.uid}${index}` }),
      createTime,
      filename,
      externalLink: '',
      type: 'image/png',
      size: String(png.length),
      memo: nameMemo(memo),
    }))
    const comments = storedMemos.filter(({ parent }) => parent === memo.id)
    const parent = storedMemos.find(({ id }) => id === memo.parent)
    return {
      name: nameMemo(memo),
      creator: nameUser(memo.creator),
      createTime,
      updateTime: createTime,
      ...(isOld || version === '0.24' ? { uid: memo.uid, displayTime: createTime, nodes: [] } : {}),
      ...(isOld
        ? { rowStatus: memo.isArchived ? 'ARCHIVED' : 'ACTIVE' }
        : { state: memo.isArchived ? 'ARCHIVED' : 'NORMAL' }),
      content: memo.content,
      visibility: memo.isPrivate ? 'PRIVATE' : 'PROTECTED',
      tags: [],
      pinned: false,
      [hasResources ? 'resources' : 'attachments']: files,
      relations: [
        ...comments.map((comment) => toRelation(comment, memo)),
        ...(parent ? [toRelation(memo, parent)] : []),
      ],
      reactions: [],
      property: null,
      snippet: memo.content,
      location: null,
      ...(parent && { parent: nameMemo(parent) }),
    }
  }

  function serve(request: IncomingMessage, response: ServerResponse) {
    const path = request.url ?? '/'
    fake.requests.push(path)
    if (fake.intercept(path, response)) return
    const url = new URL(path, fake.url)
    const { authorization } = request.headers
    const isAda = authorization === `Bearer ${memosToken}`
    const send = (status: number, value: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    const refuse = (status: number, code: number, message: string) => send(status, { code, message, details: [] })
    const user = { name: nameUser(1), role: 'USER', username: 'ada', email: '', state: 'NORMAL' }
    const userCalls: Record<MemosVersion, [string, unknown]> = {
      '0.22': ['POST /api/v1/auth/status', { ...user, id: 1 }],
      '0.24': ['POST /api/v1/auth/status', user],
      '0.25': ['GET /api/v1/auth/sessions/current', { user, lastAccessedAt: null }],
      '0.30': ['GET /api/v1/auth/me', { user }],
    }
    const [userCall, answer] = userCalls[version]
    if (`${request.method} ${url.pathname}` === userCall)
      return isAda ? send(200, answer) : refuse(401, 16, 'user not found')
    if (url.pathname.startsWith('/bucket/')) {
      fake.bucketHeaders.push(authorization)
      return response.writeHead(200, { 'content-type': 'image/png' }).end(Buffer.concat([png, Buffer.from('big')]))
    }
    if (url.pathname.startsWith('/file/')) return serveFile(url, isAda, response)
    if (request.method !== 'GET') return refuse(501, 12, 'Method Not Allowed')
    const parentName = /^\/api\/v1\/(memos\/\w+)\/comments$/.exec(url.pathname)?.[1]
    const parent = storedMemos.find((memo) => nameMemo(memo) === parentName)
    if (parent)
      return send(200, {
        memos: storedMemos.filter((memo) => memo.parent === parent.id).map(toMemo),
        nextPageToken: '',
      })
    if (url.pathname !== '/api/v1/memos') return refuse(404, 5, 'Not Found')
    return listMemos(url.searchParams, isAda, { send, refuse })
  }

  function listMemos(query: URLSearchParams, isAda: boolean, { send, refuse }: Answers) {
    const filter = query.get('filter') ?? ''
    if (filter !== '' && !isOld) return refuse(400, 3, 'invalid filter: undeclared reference')
    const state = isOld ? /row_status == "(\w+)"/.exec(filter)?.[1] : (query.get('state') ?? 'NORMAL')
    const [offset, limit] = (query.get('pageToken') || `0_${query.get('pageSize') || 10}`).split('_').map(Number)
    const visible = storedMemos.filter(
      ({ parent, isArchived = false, creator, isPrivate }) =>
        parent === undefined &&
        (state === undefined || isArchived === (state === 'ARCHIVED')) &&
        (isAda ? creator === 1 || !isPrivate : !isPrivate) &&
        (!filter.includes('creator') || creator === 1),
    )
    const end = (offset ?? 0) + (limit ?? 10)
    const nextPageToken = end < visible.length ? `${end}_${limit}` : ''
    return send(200, { memos: visible.slice(offset, end).map(toMemo), nextPageToken })
  }

  function serveFile({ pathname }: URL, isAda: boolean, response: ServerResponse) {
    const filename = decodeURIComponent(pathname.split('/').at(-1) ?? '')
    const folder = hasResources ? '/file/resources/' : '/file/attachments/'
    if (!isAda) return response.writeHead(401).end()
    if (!pathname.startsWith(folder) || filename === 'gone.png') return response.writeHead(404).end()
    if (filename === 'big.png')
      return response.writeHead(307, { location: `http://bucket.example:${host.split(':')[1]}/bucket/x` }).end()
    return response.writeHead(200, { 'content-type': 'image/png' }).end(png)
  }

  return fake
}
