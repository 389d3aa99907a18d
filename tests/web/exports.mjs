// Prints, as JSON, the names of all that the named modules export.

const found = {};
for (const name of process.argv.slice(2)) found[name] = Object.keys(await import(name)).sort();
console.log(JSON.stringify(found));
