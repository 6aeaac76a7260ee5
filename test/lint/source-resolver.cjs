'use strict';

const path = require('node:path');

const ROOT = path.resolve(__dirname, '../..');
const SUBPATH = /^#([a-z]+)\/(.+)$/;

/** Resolves imports to the sources by name alone, so that the arrows also hold for files that do not exist yet. */
module.exports = {
  interfaceVersion: 2,
  resolve(source, importer) {
    const subpath = SUBPATH.exec(source);
    if (subpath) return { found: true, path: toSource(path.join(ROOT, 'libs', subpath[1], subpath[2])) };
    if (source.startsWith('.')) return { found: true, path: toSource(path.resolve(path.dirname(importer), source)) };
    return { found: false };
  },
};

function toSource(file) {
  return file.replace(/\.js$/, '.ts');
}
