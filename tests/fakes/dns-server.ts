import { createSocket, type RemoteInfo } from 'node:dgram'

/** Records of one name. Names and targets have no trailing dot. */
export interface DnsRecords {
  A?: string[]
  AAAA?: string[]
  CNAME?: string
  /** A text as chunks, or one that is split into chunks of 255 bytes. */
  TXT?: (string | string[])[]
  CAA?: { critical?: boolean; tag: 'issue' | 'issuewild' | 'iodef'; value: string }[]
}

/** A failure instead of an answer; `silence` sends none. */
export type DnsTrouble = 'servfail' | 'refused' | 'silence'

export interface DnsFake {
  /** `127.0.0.1:port`, the format of KEEPER_DNS_SERVERS. */
  address: string
  /** Mutable records by lowercase name. A name without records here or below it is NXDOMAIN. */
  records: Map<string, DnsRecords>
  /** Keyed by `name`, by `TYPE name`, or `*` for everything. */
  trouble: Map<string, DnsTrouble>
  /** Questions received, as `TYPE name`. */
  questions: string[]
  close(): Promise<void>
}

const types = { A: 1, CNAME: 5, TXT: 16, AAAA: 28, CAA: 257 } as const
type Type = keyof typeof types
const codes = { noError: 0, servfail: 2, nxdomain: 3, refused: 5 } as const

/** A UDP name server that answers from its records and follows its own CNAMEs like a resolver. */
export async function startDnsFake({ port = 0 }: { port?: number } = {}): Promise<DnsFake> {
  const socket = createSocket('udp4')
  const fake: DnsFake = {
    address: '',
    records: new Map(),
    trouble: new Map(),
    questions: [],
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  }
  socket.on('message', (message, client) => answer(message, client))
  await new Promise<void>((ready, failed) => socket.once('error', failed).bind(port, '127.0.0.1', ready))
  fake.address = `127.0.0.1:${socket.address().port}`
  return fake

  function answer(message: Buffer, client: RemoteInfo): void {
    const { name, type, end } = questionIn(message)
    const asked = `${nameOfType(type)} ${name}`
    fake.questions.push(asked)
    const trouble = fake.trouble.get(asked) ?? fake.trouble.get(name) ?? fake.trouble.get('*')
    if (trouble === 'silence') return
    const answers = trouble ? [] : answersTo(name, type)
    const exists = [...fake.records.keys()].some((known) => known === name || known.endsWith(`.${name}`))
    const code = trouble ? codes[trouble] : exists ? codes.noError : codes.nxdomain
    const header = Buffer.alloc(12)
    message.copy(header, 0, 0, 2)
    // A response, not authoritative, with recursion desired and available.
    header.writeUInt16BE(0x8180 | code, 2)
    header.writeUInt16BE(1, 4)
    header.writeUInt16BE(answers.length, 6)
    socket.send(Buffer.concat([header, message.subarray(12, end), ...answers]), client.port, client.address)
  }

  function answersTo(name: string, type: number, depth = 0): Buffer[] {
    const found = fake.records.get(name)
    if (!found) return []
    if (found.CNAME && type !== types.CNAME) {
      const target = found.CNAME.toLowerCase()
      const further = depth < 8 ? answersTo(target, type, depth + 1) : []
      return [record(name, types.CNAME, encodedName(found.CNAME)), ...further]
    }
    return dataOf(found, type).map((data) => record(name, type, data))
  }
}

function dataOf(found: DnsRecords, type: number): Buffer[] {
  switch (type) {
    case types.A:
      return (found.A ?? []).map((address) => Buffer.from(address.split('.').map(Number)))
    case types.AAAA:
      return (found.AAAA ?? []).map(bytesOfIpv6)
    case types.CNAME:
      return found.CNAME ? [encodedName(found.CNAME)] : []
    case types.TXT:
      return (found.TXT ?? []).map((text) =>
        Buffer.concat((typeof text === 'string' ? chunksOf(text) : text).map(characterString)),
      )
    case types.CAA:
      return (found.CAA ?? []).map(({ critical, tag, value }) =>
        Buffer.concat([Buffer.from([critical ? 128 : 0]), characterString(tag), Buffer.from(value)]),
      )
    default:
      return []
  }
}

function questionIn(message: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = message.readUInt8(at); length > 0; length = message.readUInt8(at)) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length))
    at += length + 1
  }
  return { name: labels.join('.').toLowerCase(), type: message.readUInt16BE(at + 1), end: at + 5 }
}

function nameOfType(type: number): Type | number {
  return (Object.keys(types) as Type[]).find((name) => types[name] === type) ?? type
}

function record(name: string, type: number, data: Buffer): Buffer {
  const rest = Buffer.alloc(10)
  rest.writeUInt16BE(type, 0)
  rest.writeUInt16BE(1, 2)
  rest.writeUInt32BE(0, 4)
  rest.writeUInt16BE(data.length, 8)
  return Buffer.concat([encodedName(name), rest, data])
}

function encodedName(name: string): Buffer {
  return Buffer.concat([...name.split('.').map(characterString), Buffer.from([0])])
}

function characterString(text: string): Buffer {
  const bytes = Buffer.from(text)
  return Buffer.concat([Buffer.from([bytes.length]), bytes])
}

function chunksOf(text: string): string[] {
  return text.match(/.{1,255}/gs) ?? ['']
}

function bytesOfIpv6(address: string): Buffer {
  const [head = '', tail] = address.split('::')
  const groups = (part: string) => (part ? part.split(':') : [])
  const before = groups(head)
  const after = groups(tail ?? '')
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length
  const all = [...before, ...Array<string>(zeros).fill('0'), ...after]
  return Buffer.from(all.flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255]))
}
