"""Says in one line of JSON what openapi-spec-validator finds in the description of the interface: argument 1 is the file."""

import json
import sys

from openapi_spec_validator import OpenAPIV31SpecValidator

with open(sys.argv[1], encoding="utf-8") as file:
    document = json.load(file)
faults = [f"{'.'.join(str(part) for part in fault.absolute_path)}: {fault.message}" for fault in OpenAPIV31SpecValidator(document).iter_errors()]
print(json.dumps({"faults": faults}))
