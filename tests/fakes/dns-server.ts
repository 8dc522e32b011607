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
export type DnsFault = 'servfail' | 'refused' | 'silence'

export interface DnsFake {
  /** `127.0.0.1:port`, the format of KEEPER_DNS_SERVERS. */
  address: string
  /** Mutable records by lowercase name. A name without records here or below it is NXDOMAIN. */
  records: Map<string, DnsRecords>
  /** Keyed by `name`, by `TYPE name`, or `*` for everything. */
  faults: Map<string, DnsFault>
  /** Questions received, as `TYPE name`. */
  questions: string[]
  close(): Promise<void>
}

const recordTypes = { A: 1, CNAME: 5, TXT: 16, AAAA: 28, CAA: 257 } as const
type RecordType = keyof typeof recordTypes
const responseCodes = { noError: 0, servfail: 2, nxdomain: 3, refused: 5 } as const

/** A UDP name server that answers from its records and follows its own CNAMEs like a resolver. */
export async function startDnsFake({ port = 0 }: { port?: number } = {}): Promise<DnsFake> {
  const socket = createSocket('udp4')
  const fake: DnsFake = {
    address: '',
    records: new Map(),
    faults: new Map(),
    questions: [],
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  }
  socket.on('message', (message, client) => respond(message, client))
  await new Promise<void>((ready, failed) => socket.once('error', failed).bind(port, '127.0.0.1', ready))
  fake.address = `127.0.0.1:${socket.address().port}`
  return fake

  function respond(message: Buffer, client: RemoteInfo): void {
    const { name, type, end } = parseQuestion(message)
    const question = `${getRecordTypeName(type)} ${name}`
    fake.questions.push(question)
    const fault = fake.faults.get(question) ?? fake.faults.get(name) ?? fake.faults.get('*')
    if (fault === 'silence') return
    const answers = fault ? [] : findAnswers(name, type)
    const exists = [...fake.records.keys()].some((recordName) => recordName === name || recordName.endsWith(`.${name}`))
    const code = responseCodes[fault ?? (exists ? 'noError' : 'nxdomain')]
    const header = Buffer.alloc(12)
    message.copy(header, 0, 0, 2)
    // A response, not authoritative, with recursion desired and available.
    header.writeUInt16BE(0x8180 | code, 2)
    header.writeUInt16BE(1, 4)
    header.writeUInt16BE(answers.length, 6)
    socket.send(Buffer.concat([header, message.subarray(12, end), ...answers]), client.port, client.address)
  }

  function findAnswers(name: string, type: number, depth = 0): Buffer[] {
    const records = fake.records.get(name)
    if (!records) return []
    if (records.CNAME && type !== recordTypes.CNAME) {
      const target = records.CNAME.toLowerCase()
      const targetAnswers = depth < 8 ? findAnswers(target, type, depth + 1) : []
      return [encodeRecord(name, recordTypes.CNAME, encodeName(records.CNAME)), ...targetAnswers]
    }
    return encodeRecordData(records, type).map((data) => encodeRecord(name, type, data))
  }
}

function encodeRecordData(records: DnsRecords, type: number): Buffer[] {
  switch (type) {
    case recordTypes.A:
      return (records.A ?? []).map((address) => Buffer.from(address.split('.').map(Number)))
    case recordTypes.AAAA:
      return (records.AAAA ?? []).map(encodeIpv6)
    case recordTypes.CNAME:
      return records.CNAME ? [encodeName(records.CNAME)] : []
    case recordTypes.TXT:
      return (records.TXT ?? []).map((text) =>
        Buffer.concat((typeof text === 'string' ? splitIntoChunks(text) : text).map(encodeCharacterString)),
      )
    case recordTypes.CAA:
      return (records.CAA ?? []).map(({ critical, tag, value }) =>
        Buffer.concat([Buffer.from([critical ? 128 : 0]), encodeCharacterString(tag), Buffer.from(value)]),
      )
    default:
      return []
  }
}

function parseQuestion(message: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = message.readUInt8(at); length > 0; length = message.readUInt8(at)) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length))
    at += length + 1
  }
  return { name: labels.join('.').toLowerCase(), type: message.readUInt16BE(at + 1), end: at + 5 }
}

function getRecordTypeName(type: number): RecordType | number {
  return (Object.keys(recordTypes) as RecordType[]).find((name) => recordTypes[name] === type) ?? type
}

function encodeRecord(name: string, type: number, data: Buffer): Buffer {
  const fixedFields = Buffer.alloc(10)
  fixedFields.writeUInt16BE(type, 0)
  fixedFields.writeUInt16BE(1, 2)
  fixedFields.writeUInt32BE(0, 4)
  fixedFields.writeUInt16BE(data.length, 8)
  return Buffer.concat([encodeName(name), fixedFields, data])
}

function encodeName(name: string): Buffer {
  return Buffer.concat([...name.split('.').map(encodeCharacterString), Buffer.from([0])])
}

function encodeCharacterString(text: string): Buffer {
  const bytes = Buffer.from(text)
  return Buffer.concat([Buffer.from([bytes.length]), bytes])
}

function splitIntoChunks(text: string): string[] {
  return text.match(/.{1,255}/gs) ?? ['']
}

function encodeIpv6(address: string): Buffer {
  const [head = '', tail] = address.split('::')
  const splitGroups = (part: string) => (part ? part.split(':') : [])
  const headGroups = splitGroups(head)
  const tailGroups = splitGroups(tail ?? '')
  const zeros = tail === undefined ? 0 : 8 - headGroups.length - tailGroups.length
  const groups = [...headGroups, ...Array<string>(zeros).fill('0'), ...tailGroups]
  return Buffer.from(groups.flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255]))
}
