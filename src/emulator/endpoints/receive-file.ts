// The file of a request that attaches one: the body itself, named by a header, or the first file of a multipart body.

import { fileNameHeader } from '#contract/operation.ts';
import { invalidParameter, parameterRequired } from '../http/error-response.ts';
import { maxStoredFileBytes, multipartType, type ReceivedFile, readMultipart } from '../http/multipart.ts';
import { collectChunks, contentType, decodePercent, hasBody, type ReceivedRequest } from '../http/request.ts';

const because = 'attach-file';

/** Undefined if the request has no file in either form. Throws {@link ErrorResponse}. */
export async function receiveFile(request: ReceivedRequest): Promise<ReceivedFile | undefined> {
  const type = contentType(request);
  const nameInHeader = readNameHeader(request);
  if (type === multipartType) {
    const { file } = await readMultipart(request);
    if (file === undefined) throw parameterRequired('The multipart body has no file', because);
    const name = file.name || nameInHeader;
    if (name === undefined) throw parameterRequired('The file has no name', because);
    return { ...file, name };
  }
  if (nameInHeader === undefined) {
    if (type === 'application/octet-stream' && hasBody(request))
      throw parameterRequired(`The file has no name: send it in ${fileNameHeader}`, because);
    return undefined;
  }
  const content = collectChunks(maxStoredFileBytes);
  await request.readBody(content.add);
  return { name: nameInHeader, ...(type === '' ? {} : { contentType: type }), ...content.result() };
}

/** The header is percent-encoded, because it can contain only ASCII. */
function readNameHeader({ headers }: ReceivedRequest): string | undefined {
  const header = headers[fileNameHeader.toLowerCase()];
  if (typeof header !== 'string') return undefined;
  const name = decodePercent(header);
  if (name === undefined) throw invalidParameter(fileNameHeader, 'it is not valid percent-encoding', because);
  if (name === '') throw invalidParameter(fileNameHeader, 'it is empty', because);
  return name;
}
